/* The share search of line L as a plain loop: the baseline that the kernel is measured against. Built with cc -O3. */
#include <stdint.h>

static double at(float weight, int64_t low, int64_t high, double ratio)
{
    double share = (double)weight * ratio;
    double least = (double)low, most = (double)high;
    if (share < least)
        share = least;
    return share > most ? most : share;
}

static int64_t whole(double share)
{
    return share >= 0x1p63 ? INT64_MAX : (int64_t)share;
}

static int64_t used(const float *weight, const int64_t *low, const int64_t *high, int64_t count, double ratio)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        if (__builtin_add_overflow(sum, whole(at(weight[i], low[i], high[i], ratio)), &sum))
            return INT64_MAX;
    return sum;
}

/* Fills shares; all weights and maximums are above 0. Returns how often all siblings were summed. */
int64_t search(const float *weight, const int64_t *low, const int64_t *high, int64_t count, int64_t total,
               int64_t *shares)
{
    int64_t passes = 0, cap = 0;
    double left = 0.0, right = 1.0;
    for (int64_t i = 0; i < count && cap != INT64_MAX; i++)
        if (__builtin_add_overflow(cap, high[i], &cap))
            cap = INT64_MAX;
    if (cap < total)
        total = cap;
    while (passes++, used(weight, low, high, count, right) < total)
        right *= 2.0;
    for (int i = 0; i < 25; i++) {
        double middle = (left + right) / 2.0;
        int64_t sum = used(weight, low, high, count, middle);
        passes++;
        if (sum < total)
            left = middle;
        else
            right = middle;
        if (sum == total)
            break;
    }
    for (int64_t i = 0; i < count; i++)
        shares[i] = whole(at(weight[i], low[i], high[i], right));
    return passes;
}
