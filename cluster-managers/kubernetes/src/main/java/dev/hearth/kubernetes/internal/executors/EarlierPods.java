package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pods of earlier drivers of the application, which are deleted. A state machine without a clock, owned by {@link
 * KubernetesBackend}. Invariant: only epochs below that of this driver are deleted.
 */
final class EarlierPods {
    private static final Duration AFTER = Duration.ofMillis(50);
    private static final Duration PAUSE_MOST = Duration.ofSeconds(30);

    private final Map<String, Long> epochs = new TreeMap<>(); // of the pods that exist and are not being deleted
    private Duration pause = AFTER;
    private long highestEpoch;
    private boolean planned;
    private boolean underWay;
    private long atNanos;

    /** Handles a pod that another driver has created; returns its epoch, or 0 if it has none. */
    long seen(ObjectFacts pod, long now) {
        long epoch = AnchorMarks.number(pod.label(AnchorMarks.EPOCH)).orElse(0);
        highestEpoch = Math.max(highestEpoch, epoch);
        if (pod.requirePod().deleting()) {
            epochs.remove(pod.name());
        } else if (epoch > 0) {
            epochs.put(pod.name(), epoch);
            plan(AFTER, now);
        }
        return epoch;
    }

    void vanished(ObjectFacts pod) {
        epochs.remove(pod.name());
    }

    /** Handles that the epoch of this driver is higher than before, so that more pods may be due. */
    void raised(long now) {
        plan(AFTER, now);
    }

    /** The highest epoch of all pods seen; 0 if there was none. */
    long highestEpoch() {
        return highestEpoch;
    }

    /** The epochs below {@code own} whose pods are to be deleted now, by one request; empty if there is none to send. */
    List<Long> take(long own, long now) {
        if (underWay || !planned || now - atNanos < 0) {
            return List.of();
        }
        planned = false;
        List<Long> due = epochs.values().stream()
                .filter(epoch -> epoch < own)
                .distinct()
                .sorted()
                .toList();
        underWay = !due.isEmpty();
        return due;
    }

    /** Handles the answer to the request for what {@link #take} returned. */
    void deleted(Answer answer, long now) {
        underWay = false;
        if (answer instanceof Answer.Done || answer instanceof Answer.Missing) {
            pause = AFTER;
            plan(Duration.ofSeconds(1), now); // pods that are still there then were created late
        } else {
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : longer;
            plan(pause, now);
        }
    }

    /** Time until {@link #take} may return something; negative or zero for now; the largest number for never. */
    long remaining(long now) {
        return planned && !underWay && !epochs.isEmpty() ? atNanos - now : Long.MAX_VALUE;
    }

    private void plan(Duration after, long now) {
        if (!planned) {
            planned = true;
            atNanos = now + after.toNanos();
        }
    }
}
