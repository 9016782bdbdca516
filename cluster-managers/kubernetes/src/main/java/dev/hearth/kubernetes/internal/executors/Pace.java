package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;

/**
 * Rate at which pods are created: a window of parallel requests, which doubles with each full window of successes up to
 * the first refusal, then grows by one, and halves with each refusal; and a pause after refusals. A state machine without
 * a clock. Invariant: requests under way never exceed the largest window.
 */
final class Pace {
    static final int WINDOW_FIRST = 8;

    private static final Duration SERVER_PAUSE = Duration.ofMillis(200);
    private static final Duration SERVER_PAUSE_MAX = Duration.ofSeconds(10);
    private static final Duration QUOTA_PAUSE = Duration.ofSeconds(1);
    private static final Duration QUOTA_PAUSE_MAX = Duration.ofSeconds(30);
    private static final Duration DENIED_PAUSE = Duration.ofSeconds(5);
    private static final Duration DENIED_PAUSE_MAX = Duration.ofSeconds(60);

    private final int windowMax;
    private int window;
    private int inFlight;
    private int successes; // since the window grew
    private boolean doubling = true;
    private boolean probing; // one request at a time, until one succeeds
    private Duration pause = Duration.ZERO; // the last one; zero after a success
    private boolean pausing;
    private long pauseEndNanos;

    Pace(int windowMax) {
        this.windowMax = windowMax;
        this.window = Math.min(WINDOW_FIRST, windowMax);
    }

    /** Number of requests that may be sent now. */
    int free(long now) {
        return isPausing(now) ? 0 : Math.max(0, (probing ? 1 : window) - inFlight);
    }

    boolean isPausing(long now) {
        pausing = pausing && now - pauseEndNanos < 0;
        return pausing;
    }

    /** Time until the pause ends; zero if there is none. */
    Duration remaining(long now) {
        return isPausing(now) ? Duration.ofNanos(pauseEndNanos - now) : Duration.ZERO;
    }

    int inFlight() {
        return inFlight;
    }

    int window() {
        return window;
    }

    void sent() {
        inFlight++;
    }

    void succeeded() {
        inFlight--;
        probing = false;
        pause = Duration.ZERO;
        successes++;
        if (successes >= window) {
            successes = 0;
            window = Math.min(windowMax, doubling ? window * 2 : window + 1);
        }
    }

    /** Handles that no answer came: one request at a time finds out whether the server is back. */
    void unanswered(long now) {
        refused(RefusalKind.SERVER, Duration.ZERO, now);
        probing = true;
    }

    /** Handles a refusal of {@code kind}. */
    void refused(RefusalKind kind, Duration retryAfter, long now) {
        inFlight--;
        boolean first = !isPausing(now); // the answers to one window count once
        switch (kind) {
            case QUOTA, CONFLICT -> {
                probing = true;
                pause(QUOTA_PAUSE, QUOTA_PAUSE_MAX, Duration.ZERO, first, now);
            }
            case THROTTLED -> {
                shrink(first);
                pause(QUOTA_PAUSE, QUOTA_PAUSE_MAX, retryAfter, first, now);
            }
            case SERVER, WEBHOOK_DOWN, GONE -> {
                shrink(first);
                pause(SERVER_PAUSE, SERVER_PAUSE_MAX, retryAfter, first, now);
            }
            case UNAUTHENTICATED -> {
                probing = true;
                pause(QUOTA_PAUSE, QUOTA_PAUSE_MAX, Duration.ZERO, first, now);
            }
            case DENIED, INVALID, WEBHOOK_DENIED, NAMESPACE_ENDING -> {
                probing = true;
                pause(DENIED_PAUSE, DENIED_PAUSE_MAX, Duration.ZERO, first, now);
            }
        }
    }

    /** Ends a pause early, for example because a quota has room again. */
    void resume() {
        pausing = false;
    }

    private void shrink(boolean first) {
        doubling = false;
        successes = 0;
        if (first) {
            window = Math.max(1, window / 2);
        }
    }

    private void pause(Duration least, Duration most, Duration demanded, boolean first, long now) {
        if (first) {
            Duration longer = pause.isZero() ? least : pause.multipliedBy(2);
            pause = longer.compareTo(most) > 0 ? most : longer;
        }
        Duration taken = demanded.compareTo(pause) > 0 ? demanded : pause;
        long end = now + taken.toNanos();
        if (!pausing || end - pauseEndNanos > 0) {
            pauseEndNanos = end;
        }
        pausing = true;
    }
}
