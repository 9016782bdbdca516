package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.LabelPod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Lost;
import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ends of executors: what counts as a failure, what the driver learns, and which pods are deleted. Invariant: an executor
 * that was reported as started is reported as lost once. Owned by {@link PodAllocator}.
 */
final class ExecutorEnds {
    /** Label of a pod that stays although its executor has ended, as in Spark. */
    private static final Map<String, String> INACTIVE = Map.of("spark-exec-inactive", "true");

    private final Slots slots;
    private final Deletions deletions;
    private final FailureBudget budget;
    private final Hindrances hindrances;
    private final boolean deleteOnTermination;
    private final int keptFailedMax;
    private final Consumer<AllocatorEffect> effects;
    private final Deque<Slot> kept = new ArrayDeque<>(); // failed; their pods stay
    private String lastWords = ""; // of an executor that failed

    ExecutorEnds(
            Slots slots,
            Deletions deletions,
            FailureBudget budget,
            Hindrances hindrances,
            AllocatorSettings settings,
            Consumer<AllocatorEffect> effects) {
        this.slots = slots;
        this.deletions = deletions;
        this.budget = budget;
        this.hindrances = hindrances;
        this.deleteOnTermination = settings.deleteOnTermination();
        this.keptFailedMax = settings.rules().keptFailedMax();
        this.effects = effects;
    }

    /**
     * Handles that the executor has ended or will never run, and deletes its pod. Returns words for the user if too many
     * have failed.
     */
    Optional<String> finish(Slot slot, LostExecutor why, long now) {
        if (slot.phase == Phase.ENDING) {
            lose(slot, why);
            return Optional.empty();
        }
        boolean ours = !slot.released.isEmpty();
        boolean early = !slot.registered && why.cause() != Cause.PREEMPTED && why.cause() != Cause.HOST_LOST;
        boolean failed = !ours && (early || why.cause().chargesTasks());
        if (!ours && early) {
            lastWords = why.reason();
            budget.endedEarly(now);
            hindrances.set(
                    Hindrances.Source.EARLY_END, "executors end before they register, the last one: " + lastWords);
        } else if (failed) {
            lastWords = why.reason();
            budget.failed(now);
        }
        lose(slot, why);
        if (failed && keptFailedMax > 0 && slot.facts.isTerminal()) {
            keep(slot, now);
        } else if (deleteOnTermination || !slot.facts.isTerminal()) {
            end(slot, now);
        } else {
            slots.remove(slot);
            effects.accept(new LabelPod(slot.executor, INACTIVE));
        }
        return budget.exceeded(now).map(words -> words + "; the last one: " + lastWords);
    }

    /** Leaves the pod of a failed executor for its user to look at, instead of the one that failed first. */
    private void keep(Slot slot, long now) {
        slots.remove(slot);
        kept.addLast(slot);
        effects.accept(new LabelPod(slot.executor, INACTIVE));
        if (kept.size() > keptFailedMax) {
            Slot first = kept.removeFirst();
            endStrange(first.executor, first.facts, now);
        }
    }

    /** Whether the pod of this executor stays although it has ended. */
    boolean stays(long executor, PodFacts pod) {
        return kept.stream().anyMatch(slot -> slot.executor == executor) || (pod.isTerminal() && !deleteOnTermination);
    }

    /** Handles that a pod that stayed has vanished. */
    void forget(long executor) {
        kept.removeIf(slot -> slot.executor == executor);
    }

    void lose(Slot slot, LostExecutor why) {
        if (slot.started && !slot.lost) {
            slot.lost = true;
            effects.accept(new Lost(slot.executor, why));
        }
    }

    /** Takes back a request, or ends a pod that exists. */
    void cancel(Slot slot, long now) {
        if (slot.phase == Phase.WAITING) {
            slots.remove(slot); // nothing was requested for it
        } else if (slot.phase == Phase.CREATING) {
            slots.move(slot, Phase.CANCELLED, now);
        } else if (slot.phase != Phase.CANCELLED) {
            end(slot, now);
        }
    }

    /** Ends a pod that exists or may exist. */
    void end(Slot slot, long now) {
        if (slot.phase != Phase.ENDING) {
            slots.move(slot, Phase.ENDING, now);
            slot.listsWithout = 0;
        }
        if (!slot.facts.deleting()) {
            deletions.add(slot.executor, now);
        }
    }

    /** Ends a pod of this application that is not expected, such as one whose request was given up. */
    void endStrange(long executor, PodFacts pod, long now) {
        Slot slot = new Slot(executor, ProfileId.DEFAULT, now);
        slot.seen = true;
        slot.facts = pod;
        slots.add(slot);
        end(slot, now);
    }
}
