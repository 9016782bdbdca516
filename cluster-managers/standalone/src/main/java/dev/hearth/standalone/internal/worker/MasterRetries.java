package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Decides which master a worker tries next, and when: the one that was lost soon, then all in turn with exponential
 * back-off. Delays are random, so that the workers of a large cluster do not come back at once. Owned by {@link Worker}.
 */
final class MasterRetries {
    private static final int SOON_ATTEMPTS = 30; // after the loss of a master, which may have lost only a connection
    private static final double SPREAD_LEAST = 0.5; // of a delay
    private static final double SPREAD_MOST = 1.5;

    private final List<RpcAddress> masters;
    private final RandomGenerator random;
    private int index;
    private int soon; // attempts left that follow one another soon
    private Duration retry = WorkerSpec.RETRY_FIRST;

    /** {@code session} names the worker, so that each has delays of its own. */
    MasterRetries(List<RpcAddress> masters, String session) {
        this.masters = masters;
        this.random = new Random(session.hashCode());
    }

    /** The master that is tried, or was tried last. */
    RpcAddress master() {
        return masters.get(index);
    }

    WorkerEffect begin() {
        return new WorkerEffect.Connect(master(), Duration.ZERO);
    }

    /** A master has registered the worker. */
    void reached() {
        retry = WorkerSpec.RETRY_FIRST;
        soon = 0;
    }

    /** The master that had registered the worker is lost. */
    WorkerEffect lost() {
        soon = SOON_ATTEMPTS;
        return new WorkerEffect.Connect(master(), Duration.ofNanos(random.nextLong(WorkerSpec.RETURN_MAX.toNanos())));
    }

    /** The present attempt has failed. */
    WorkerEffect failed() {
        index = (index + 1) % masters.size();
        Duration spread = Duration.ofNanos((long) (retry.toNanos() * random.nextDouble(SPREAD_LEAST, SPREAD_MOST)));
        soon = Math.max(0, soon - 1);
        Duration most = soon > 0 ? WorkerSpec.RETRY_SOON_MAX : WorkerSpec.RETRY_MAX;
        Duration doubled = retry.multipliedBy(2);
        retry = doubled.compareTo(most) < 0 ? doubled : most;
        return new WorkerEffect.Connect(master(), spread);
    }
}
