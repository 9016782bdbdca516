package dev.hearth.api;

import java.util.SplittableRandom;

/**
 * Random variates of the distributions that sampling needs: Poisson, binomial and hypergeometric. Binomial and
 * hypergeometric variates are found by a search that starts at the mode and goes outwards in both directions. The
 * number of steps is about the standard deviation. Stateless.
 */
final class RandomVariates {
    private static final double POISSON_STEP = 500; // largest mean whose exp(-mean) is used: it does not underflow

    private RandomVariates() {}

    /** A Poisson variate with mean {@code mean}. */
    static long poisson(SplittableRandom random, double mean) {
        double left = mean;
        long count = 0;
        while (left > POISSON_STEP) { // the sum of Poisson variates is again a Poisson variate
            count += smallPoisson(random, POISSON_STEP);
            left -= POISSON_STEP;
        }
        return count + smallPoisson(random, left);
    }

    private static long smallPoisson(SplittableRandom random, double mean) {
        double limit = Math.exp(-mean);
        double product = random.nextDouble();
        long count = 0;
        while (product > limit) {
            product *= random.nextDouble();
            count++;
        }
        return count;
    }

    /**
     * A binomial variate: the number of successes in {@code tries} trials, each of which succeeds with {@code
     * probability}.
     */
    static long binomial(SplittableRandom random, long tries, double probability) {
        if (tries == 0 || probability <= 0) {
            return 0;
        }
        if (probability >= 1) {
            return tries;
        }
        long mode = Math.min(tries, (long) ((tries + 1) * probability));
        double odds = probability / (1 - probability);
        double atMode = Math.exp(
                logChoose(tries, mode) + mode * Math.log(probability) + (tries - mode) * Math.log1p(-probability));
        return outwards(random, mode, atMode, 0, tries, below -> (tries - below) / (below + 1.0) * odds);
    }

    /**
     * A hypergeometric variate: the number of marked elements among {@code drawn} elements that are drawn without
     * replacement from {@code size} elements, {@code marked} of them marked.
     */
    static long hypergeometric(SplittableRandom random, long size, long marked, long drawn) {
        long least = Math.max(0, drawn - (size - marked));
        long most = Math.min(drawn, marked);
        if (least == most) {
            return least;
        }
        long mode = Math.max(least, Math.min(most, (long) ((drawn + 1.0) * (marked + 1.0) / (size + 2.0))));
        double atMode =
                Math.exp(logChoose(marked, mode) + logChoose(size - marked, drawn - mode) - logChoose(size, drawn));
        return outwards(
                random,
                mode,
                atMode,
                least,
                most,
                below -> (double) (marked - below)
                        * (drawn - below)
                        / ((below + 1.0) * (size - marked - drawn + below + 1.0)));
    }

    /**
     * Quotient of the probabilities of two successive outcomes of a distribution: that of {@code number + 1} divided by
     * that of {@code number}.
     */
    private interface Ratio {
        double above(long number);
    }

    private static long outwards(
            SplittableRandom random, long mode, double atMode, long least, long most, Ratio ratio) {
        double left = random.nextDouble() - atMode;
        long low = mode;
        long high = mode;
        double lowProbability = atMode;
        double highProbability = atMode;
        while (left > 0 && (low > least || high < most)) {
            if (high < most) {
                highProbability *= ratio.above(high);
                high++;
                left -= highProbability;
                if (left <= 0) {
                    return high;
                }
            }
            if (low > least) {
                low--;
                lowProbability /= ratio.above(low);
                left -= lowProbability;
                if (left <= 0) {
                    return low;
                }
            }
            if (highProbability + lowProbability < Double.MIN_NORMAL) {
                return mode; // the rest of the probability is only rounding error
            }
        }
        return mode;
    }

    private static double logChoose(long all, long some) {
        return logFactorial(all) - logFactorial(some) - logFactorial(all - some);
    }

    /** The logarithm of the factorial, by Stirling's series; exact for small numbers. */
    private static double logFactorial(long number) {
        if (number < 16) {
            double product = 1;
            for (long i = 2; i <= number; i++) {
                product *= i;
            }
            return Math.log(product);
        }
        double n = number;
        return n * Math.log(n)
                - n
                + 0.5 * Math.log(2 * Math.PI * n)
                + 1 / (12 * n)
                - 1 / (360 * n * n * n)
                + 1 / (1260 * n * n * n * n * n);
    }
}
