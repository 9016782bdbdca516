package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Leaving;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Started;
import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Follows pods from their creation to their end by what the cluster reports about them, and finds those that do not get
 * on. Owned by {@link PodAllocator}, which ends the slots whose end is returned.
 */
final class PodProgress {
    private static final Duration IMAGE_WRONG_MAX = Duration.ofSeconds(30);

    private final AllocatorSettings settings;
    private final LongFunction<String> podNames;
    private final Slots slots;
    private final Hindrances hindrances;
    private final Consumer<AllocatorEffect> effects;

    PodProgress(
            AllocatorSettings settings,
            LongFunction<String> podNames,
            Slots slots,
            Hindrances hindrances,
            Consumer<AllocatorEffect> effects) {
        this.settings = settings;
        this.podNames = podNames;
        this.slots = slots;
        this.hindrances = hindrances;
        this.effects = effects;
    }

    /** Handles a report about the pod of {@code slot}; returns how its executor ended, if it has. */
    Optional<LostExecutor> follow(Slot slot, PodFacts pod, long now) {
        Optional<ContainerFacts> own = pod.container(Verdict.EXECUTOR_CONTAINER);
        boolean hasEnded = own.filter(ContainerFacts::hasEnded).isPresent();
        if (pod.isTerminal() || hasEnded) {
            boolean ran = slot.started || hasEnded;
            if (ran && !slot.started) {
                start(slot, pod); // it ended between two reports
            }
            return Optional.of(Verdict.of(podNames.apply(slot.executor), pod, ran));
        }
        Optional<LostExecutor> failure = failureOfAnother(slot, pod);
        if (failure.isPresent()) {
            return failure;
        }
        if (pod.isScheduled() && slot.phase == Phase.CREATED) {
            slots.move(slot, Phase.SCHEDULED, now);
            hindrances.clear(Hindrances.Source.SCHEDULER);
        }
        if (own.filter(ContainerFacts::running).isPresent()
                && (slot.phase == Phase.CREATED || slot.phase == Phase.SCHEDULED)) {
            slots.move(slot, Phase.RUNNING, now);
            start(slot, pod);
            hindrances.clear(Hindrances.Source.IMAGE);
        }
        if (pod.nodeSilent() && slot.isDoubted(now)) {
            return Optional.of(Verdict.of(podNames.apply(slot.executor), pod, slot.started));
        }
        if (pod.deleting() || !pod.disruption().isEmpty()) {
            leave(slot, pod, now);
        } else if (slot.phase == Phase.CREATED && !pod.unscheduled().isEmpty()) {
            hindrances.set(Hindrances.Source.SCHEDULER, "no node takes a pod: " + pod.unscheduled());
        } else if (slot.phase == Phase.SCHEDULED) {
            image(slot, pod, now);
        }
        return Optional.empty();
    }

    /** How the executor ended if another container of its pod has failed, and the user wants it to end then. */
    private Optional<LostExecutor> failureOfAnother(Slot slot, PodFacts pod) {
        if (!settings.rules().checksAllContainers()) {
            return Optional.empty();
        }
        return pod.containers().stream()
                .filter(container -> !container.init() && container.exitCode().orElse(0) != 0)
                .findFirst()
                .map(container -> LostExecutor.of(
                        Cause.FAILED,
                        "pod " + podNames.apply(slot.executor) + ": its container " + container.name()
                                + " ended with exit status "
                                + container.exitCode().getAsInt()
                                + ", and hearth.kubernetes.executor.checkAllContainers is true"));
    }

    /** How the executor of a pod that is on a node and does not run ended, if it takes too long. */
    Optional<LostExecutor> overdue(Slot slot, long now) {
        return lateness(slot, now)
                .map(words -> LostExecutor.of(Cause.NEVER_CAME, "pod " + podNames.apply(slot.executor) + ": " + words));
    }

    private Optional<String> lateness(Slot slot, long now) {
        if (slot.imageFails) {
            boolean hopeless = Verdict.isHopeless(slot.facts, Verdict.EXECUTOR_CONTAINER);
            Duration most = hopeless ? IMAGE_WRONG_MAX : settings.imageTimeout();
            if (now - slot.imageSinceNanos >= most.toNanos()) {
                return Verdict.hindrance(slot.facts, Verdict.EXECUTOR_CONTAINER);
            }
        }
        return now - slot.sinceNanos >= settings.runTimeout().toNanos()
                ? Optional.of("not running " + settings.runTimeout().toSeconds() + " s after it got a node")
                : Optional.empty();
    }

    private void start(Slot slot, PodFacts pod) {
        slot.started = true;
        effects.accept(new Started(slot.executor, slot.profile, pod.node()));
    }

    private void leave(Slot slot, PodFacts pod, long now) {
        if (slot.phase == Phase.RUNNING) {
            slots.move(slot, Phase.LEAVING, now);
            if (!slot.lost) {
                String why = pod.disruption().isEmpty() ? "its pod is being deleted" : pod.disruption();
                effects.accept(new Leaving(slot.executor, why, Duration.ofSeconds(pod.graceSeconds())));
            }
        } else if (slot.phase != Phase.LEAVING && pod.deleting()) {
            slots.move(slot, Phase.ENDING, now);
        }
    }

    private void image(Slot slot, PodFacts pod, long now) {
        Optional<String> hindrance = Verdict.hindrance(pod, Verdict.EXECUTOR_CONTAINER);
        if (hindrance.isPresent()) {
            if (!slot.imageFails) {
                slot.imageFails = true;
                slot.imageSinceNanos = now;
            }
            hindrances.setFirst(
                    Hindrances.Source.IMAGE, "pod " + podNames.apply(slot.executor) + ": " + hindrance.get());
        }
    }
}
