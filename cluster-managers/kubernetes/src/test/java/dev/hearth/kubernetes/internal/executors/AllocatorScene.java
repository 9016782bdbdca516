package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.CreatePod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeletePods;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.ProfileId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An allocator whose events come one by one, and the effects of the latest event. For tests on one thread. */
final class AllocatorScene {
    static final Answer DONE = new Answer.Done(Optional.empty());
    static final Answer UNKNOWN = new Answer.Unknown("no answer");
    static final PodFacts SCHEDULED = PodFacts.PENDING.on("node-1");
    static final PodFacts RUNNING = SCHEDULED.in("Running", ContainerFacts.running(Verdict.EXECUTOR_CONTAINER));

    final PodAllocator allocator;
    private final List<AllocatorEffect> effects = new ArrayList<>();
    private long now;

    /** Scene whose first list is complete and empty. */
    AllocatorScene(AllocatorSettings settings) {
        this.allocator = new PodAllocator(settings, number -> "pod-" + number, number -> "claim-" + number);
        allocator.stale("", now);
    }

    /** The default settings with other bounds of pods that are pending, and of all. */
    static AllocatorSettings bounded(int pendingMax, int createdMax) {
        return settings(pendingMax, createdMax, true, PodRules.DEFAULTS);
    }

    static AllocatorSettings ruled(PodRules rules) {
        return settings(Integer.MAX_VALUE, Integer.MAX_VALUE, true, rules);
    }

    static AllocatorSettings keeping() {
        return settings(Integer.MAX_VALUE, Integer.MAX_VALUE, false, PodRules.DEFAULTS);
    }

    private static AllocatorSettings settings(
            int pendingMax, int createdMax, boolean deleteOnTermination, PodRules rules) {
        AllocatorSettings defaults = AllocatorSettings.DEFAULTS;
        return new AllocatorSettings(
                pendingMax,
                createdMax,
                defaults.parallelMax(),
                defaults.idleTimeout(),
                defaults.runTimeout(),
                defaults.imageTimeout(),
                defaults.unsureTimeout(),
                defaults.deleteGrace(),
                deleteOnTermination,
                defaults.failuresMax(),
                defaults.failuresValidity(),
                defaults.claims(),
                rules);
    }

    /** Facts of a pod whose own container has ended. */
    static PodFacts ended(int status) {
        return RUNNING.in(
                status == 0 ? "Succeeded" : "Failed",
                ContainerFacts.ended(Verdict.EXECUTOR_CONTAINER, status, status == 0 ? "Completed" : "Error", ""));
    }

    AllocatorScene pass(Duration time) {
        now += time.toNanos();
        return did(allocator.wake(now));
    }

    AllocatorScene want(int executors) {
        return did(allocator.want(executors, now));
    }

    AllocatorScene want(Map<ProfileId, Integer> executors) {
        return did(allocator.want(executors, now));
    }

    AllocatorScene created(long executor) {
        return created(executor, DONE);
    }

    AllocatorScene created(long executor, Answer answer) {
        return did(allocator.created(executor, answer, false, now));
    }

    AllocatorScene seen(long executor, PodFacts pod) {
        return did(allocator.seen(executor, pod, now));
    }

    AllocatorScene read(long executor, Answer answer) {
        return did(allocator.read(executor, answer, now));
    }

    AllocatorScene vanished(long executor, PodFacts last) {
        return did(allocator.vanished(executor, last, now));
    }

    AllocatorScene deleted(List<Long> executors, Answer answer) {
        return did(allocator.deleted(executors, answer, now));
    }

    AllocatorScene release(List<Long> executors) {
        return did(allocator.release(executors, "idle", now));
    }

    AllocatorScene decommissioned(long executor) {
        return did(allocator.decommissioned(executor, now));
    }

    AllocatorScene stale(String reason) {
        return did(allocator.stale(reason, now));
    }

    AllocatorScene close() {
        return did(allocator.close(now));
    }

    /** Answers all requests from {@code first} to {@code last}, and lets their containers run and register. */
    AllocatorScene run(long first, long last) {
        for (long executor = first; executor <= last; executor++) {
            created(executor);
            seen(executor, RUNNING);
            did(allocator.registered(executor, now));
        }
        return this;
    }

    /** Numbers of the pods that the latest event requested. */
    List<Long> requested() {
        return of(CreatePod.class).map(CreatePod::executor).toList();
    }

    /** Numbers of the pods that the latest event deleted. */
    List<Long> deleted() {
        return of(DeletePods.class)
                .flatMap(effect -> effect.executors().stream())
                .toList();
    }

    <T> Stream<T> of(Class<T> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast);
    }

    private AllocatorScene did(List<AllocatorEffect> made) {
        effects.clear();
        effects.addAll(made);
        return this;
    }
}
