package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.CreatePod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.OfVolumes;
import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.VolumePool;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Slots that wait for their claims: sends the requests for claims at the pace of those for pods, and the request for a pod
 * once the claims of its slot exist. Owned by {@link PodAllocator}, as is its {@link VolumePool}.
 */
final class SlotVolumes {
    private final VolumePool pool;
    private final Slots slots;
    private final Pace pace;
    private final Hindrances hindrances;
    private final CreationFailures failures;
    private final Consumer<AllocatorEffect> effects;
    private int largestWanted;
    private boolean waits; // for claims of others

    SlotVolumes(
            ClaimSettings settings,
            LongFunction<String> names,
            Slots slots,
            Pace pace,
            Hindrances hindrances,
            Consumer<AllocatorEffect> effects) {
        this.pool = new VolumePool(settings, names, effect -> effects.accept(new OfVolumes(effect)));
        this.slots = slots;
        this.pace = pace;
        this.hindrances = hindrances;
        this.failures = CreationFailures.ofClaims(hindrances);
        this.effects = effects;
    }

    VolumePool pool() {
        return pool;
    }

    /** Sets the claims that each executor needs. */
    void open(List<ClaimSpec> specs) {
        pool.open(specs);
    }

    boolean areUsed() {
        return pool.isUsed();
    }

    /** Whether one more slot may wait; more than requests under way would wait for nothing. */
    boolean hasRoom() {
        return slots.in(Phase.WAITING).size() < pace.window();
    }

    void wanted(int executors) {
        largestWanted = Math.max(largestWanted, executors);
    }

    /** Sends requests for claims, and for the pods of slots that have theirs, as far as the pace allows. */
    void settle(long now) {
        if (!pool.isUsed()) {
            return;
        }
        for (Slot slot : List.copyOf(slots.in(Phase.WAITING).values())) {
            Optional<Map<String, String>> claims =
                    pace.free(now) > 0 ? pool.take(slot.executor, now) : Optional.empty();
            if (claims.isEmpty()) {
                break; // all slots need the same
            }
            pace.sent();
            slots.move(slot, Phase.CREATING, now);
            effects.accept(new CreatePod(slot.executor, slot.profile, claims.get()));
        }
        boolean before = waits;
        waits = pool.settle(slots.in(Phase.WAITING).size(), largestWanted, now);
        if (waits) {
            hindrances.setFirst(
                    Hindrances.Source.CLAIMS,
                    "executors wait for the volumes of others that end"
                            + " (hearth.kubernetes.driver.waitToReusePersistentVolumeClaim)");
        } else if (before) {
            hindrances.clear(Hindrances.Source.CLAIMS);
        }
        while (pace.free(now) > 0 && pool.send(now)) {
            pace.sent();
        }
    }

    /** Handles the answer to the creation of a claim; returns why the application ends, if it does. */
    Optional<CreationFailures.Verdict> created(
            long claim, Answer answer, boolean ours, boolean isAnyRunning, long now) {
        pool.created(claim, answer, ours, now);
        if (answer instanceof Answer.Refused refused) {
            pace.refused(refused.kind(), refused.retryAfter(), now);
            return failures.refused(refused, isAnyRunning, now);
        }
        if (answer instanceof Answer.Unknown unknown) {
            pace.unanswered(now);
            return failures.unanswered(unknown.words(), isAnyRunning, now);
        }
        pace.succeeded();
        failures.succeeded();
        failures.created();
        return Optional.empty();
    }

    /** Names of the claims of {@code executor}, by volume. */
    Map<String, String> claimsOf(long executor) {
        return pool.claimsOf(executor);
    }

    /**
     * Whether the scheduler names a claim of {@code executor} in {@code words}: it is missing or being deleted, so that the pod
     * would wait for ever.
     */
    boolean isNamedIn(String words, long executor) {
        return !words.isEmpty()
                && pool.claimsOf(executor).values().stream().anyMatch(claim -> words.contains("\"" + claim + "\""));
    }

    /** Handles that the pod of {@code executor} exists. */
    void mounted(long executor) {
        pool.mounted(executor);
    }

    /** Handles that the pod of {@code executor} was never created. */
    void dropped(long executor, long now) {
        pool.dropped(executor, now);
    }

    /** Handles that the pod of {@code executor} was seen gone. */
    void gone(long executor, long now) {
        pool.gone(executor, now);
    }

    /** Handles that it is not known whether {@code executor} has a pod. */
    void doubtful(long executor, long now) {
        pool.doubtful(executor, now);
    }

    void listed(Collection<ObjectFacts> claims, long now) {
        pool.listed(claims, now);
    }

    void notListed(Answer answer, long now) {
        pool.notListed(answer, now);
    }

    void deleted(long claim, Answer answer, long now) {
        pool.deleted(claim, answer, now);
    }

    void owned(long executor, Answer answer, long now) {
        pool.owned(executor, answer, now);
    }

    /** Nanoseconds until there is something to do without an event; the largest number if there is nothing. */
    long remaining(long now) {
        return pool.isUsed() ? pool.remaining(now) : Long.MAX_VALUE;
    }
}
