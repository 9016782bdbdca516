package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Closed;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.CreatePod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeleteAllPods;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeletePods;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.GiveUp;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Hindered;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Leaving;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Lost;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Started;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Wake;
import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * Executors of one application: how many pods are requested, deleted, and reported. A state machine: time arrives as an
 * argument, effects are returned; {@link KubernetesBackend} owns it. Invariants: a number is used once; live pods never
 * exceed the wanted number, those under deletion excepted; each executor reported as started is reported as lost once,
 * unless the application closes first; no pod is created or deleted on stale facts.
 */
final class PodAllocator {
    /** Maximum number of pods that one request deletes. */
    static final int DELETED_AT_ONCE_MAX = 200;

    private static final Duration DELETE_AFTER = Duration.ofMillis(50);
    private static final Duration DELETE_AGAIN = Duration.ofSeconds(1);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);
    private static final Duration FAILING_MAX = Duration.ofMinutes(10);
    private static final Duration IMAGE_WRONG_MAX = Duration.ofSeconds(30);
    private static final int SAME_REFUSALS_MAX = 3;

    private final AllocatorSettings settings;
    private final LongFunction<String> podNames;
    private final Pace pace;
    private final FailureBudget budget;
    private final Hindrances hindrances = new Hindrances();
    private final Slots slots = new Slots();
    private final TreeSet<Long> deletions = new TreeSet<>(); // requested at deletionsNanos
    private List<AllocatorEffect> effects = new ArrayList<>();
    private State state = State.OPEN;
    private int wanted;
    private long nextExecutor = 1;
    private boolean stale = true; // until the first list
    private boolean anyCreated;
    private boolean failing;
    private long failingNanos; // since when no request succeeded
    private String refusal = ""; // of an object that the server does not admit
    private int sameRefusals;
    private String lastWords = ""; // of an executor that failed
    private boolean flushing; // a wake for the deletions is planned
    private long flushNanos;
    private long closeEndNanos;
    private boolean closeAgain; // an answer is missing, so that a pod may appear after the deletion of all
    private boolean allDeleted;
    private boolean waking;
    private long wakeNanos;

    enum State {
        OPEN,
        /** Too many executors failed; the driver ends the application. */
        GIVEN_UP,
        CLOSING,
        CLOSED
    }

    PodAllocator(AllocatorSettings settings, LongFunction<String> podNames) {
        this.settings = settings;
        this.podNames = podNames;
        this.pace = new Pace(settings.parallelMax());
        this.budget = new FailureBudget(settings.failuresMax(), settings.failuresValidity());
    }

    State state() {
        return state;
    }

    Slots slots() {
        return slots;
    }

    Pace pace() {
        return pace;
    }

    List<AllocatorEffect> want(int total, long now) {
        wanted = total;
        budget.wanted(total);
        return settle(now);
    }

    List<AllocatorEffect> release(Collection<Long> executors, String reason, long now) {
        for (long executor : executors) {
            Slot slot = slots.find(executor);
            if (slot != null && slot.released.isEmpty() && slot.phase != Phase.ENDING) {
                slot.released = reason.isEmpty() ? "released" : reason;
                lose(slot, LostExecutor.released(slot.released));
                cancel(slot, now);
            }
        }
        return settle(now);
    }

    List<AllocatorEffect> registered(long executor, long now) {
        Slot slot = slots.find(executor);
        if (slot != null) {
            slot.registered = true;
        }
        budget.registered();
        return settle(now);
    }

    /** Handles the answer to {@link CreatePod}; {@code ours} if an existing pod of that name is that of this executor. */
    List<AllocatorEffect> created(long executor, Answer answer, boolean ours, long now) {
        Slot slot = slots.find(executor);
        if (answer instanceof Answer.Refused refused) {
            pace.refused(refused.kind(), refused.retryAfter(), now);
            refused(refused, now);
        } else if (answer instanceof Answer.Unknown unknown) {
            pace.unanswered(now);
            failing(unknown.words(), now);
        } else {
            pace.succeeded();
            succeeded();
        }
        if (slot != null) {
            answered(slot, answer, ours, now);
        }
        closeAgain |= state == State.CLOSING;
        return settle(now);
    }

    List<AllocatorEffect> seen(long executor, PodFacts pod, long now) {
        Slot slot = slots.find(executor);
        if (slot == null) {
            if (!pod.isTerminal() || settings.deleteOnTermination()) {
                strange(executor, pod, now);
            }
            return settle(now);
        }
        slot.seen = true;
        slot.facts = pod;
        if (slot.phase == Phase.CANCELLED) {
            end(slot, now);
        } else if (slot.phase == Phase.CREATING || slot.phase == Phase.UNSURE) {
            slots.move(slot, Phase.CREATED, now);
        }
        if (slot.phase != Phase.ENDING) {
            follow(slot, pod, now);
        }
        return settle(now);
    }

    List<AllocatorEffect> vanished(long executor, PodFacts last, long now) {
        Slot slot = slots.find(executor);
        if (slot != null) {
            slot.facts = last;
            finish(slot, Verdict.of(podNames.apply(executor), last, slot.started), now);
            slots.remove(slot);
            deletions.remove(executor);
        }
        pace.resume(); // a quota may have room now
        return settle(now);
    }

    /** Handles the end of a list that was requested at {@code requestedNanos} and whose pods were reported before. */
    List<AllocatorEffect> listed(long requestedNanos, long now) {
        for (Slot slot : List.copyOf(slots.in(Phase.CREATED).values())) {
            boolean lacking = !slot.seen && requestedNanos - slot.sinceNanos > 0;
            slot.listsWithout += lacking ? 1 : 0;
            if (slot.listsWithout >= 2) {
                slots.remove(slot);
            }
        }
        for (Slot slot : List.copyOf(slots.in(Phase.ENDING).values())) {
            if (!slot.seen && requestedNanos - slot.sinceNanos > 0 && ++slot.listsWithout >= 2) {
                slots.remove(slot);
                deletions.remove(slot.executor);
            }
        }
        return settle(now);
    }

    /** Handles that facts are out of date because of {@code reason}; empty if they are up to date again. */
    List<AllocatorEffect> stale(String reason, long now) {
        stale = !reason.isEmpty();
        if (stale) {
            hindrances.set(Hindrances.Source.SERVER, reason);
        } else {
            hindrances.clear(Hindrances.Source.SERVER);
        }
        return settle(now);
    }

    /** Handles the answer to {@link DeletePods}. */
    List<AllocatorEffect> deleted(Collection<Long> executors, Answer answer, long now) {
        if (!(answer instanceof Answer.Done || answer instanceof Answer.Missing)) {
            executors.stream().filter(executor -> slots.find(executor) != null).forEach(deletions::add);
            flushNanos = now + DELETE_AGAIN.toNanos();
            flushing = true;
        } else {
            executors.stream().map(slots::find).forEach(slot -> {
                if (slot != null && !slot.seen) {
                    slots.remove(slot); // it never existed, or ended unseen
                }
            });
        }
        return settle(now);
    }

    /** Handles the answer to {@link DeleteAllPods}. */
    List<AllocatorEffect> allDeleted(Answer answer, long now) {
        allDeleted = answer instanceof Answer.Done || answer instanceof Answer.Missing;
        if (state == State.CLOSING && !allDeleted) {
            flushNanos = now + DELETE_AGAIN.toNanos();
            flushing = true;
        }
        return settle(now);
    }

    List<AllocatorEffect> wake(long now) {
        waking = false;
        return settle(now);
    }

    List<AllocatorEffect> close(long now) {
        if (state == State.OPEN || state == State.GIVEN_UP) {
            state = State.CLOSING;
            wanted = 0;
            closeEndNanos = now + CLOSE_BOUND.toNanos();
            effects.add(new DeleteAllPods());
        }
        return settle(now);
    }

    private void answered(Slot slot, Answer answer, boolean ours, long now) {
        boolean refused = answer instanceof Answer.Refused;
        boolean unknown = answer instanceof Answer.Unknown;
        slot.unsure |= unknown;
        boolean pending = slot.phase == Phase.CREATING || slot.phase == Phase.UNSURE;
        if (slot.phase == Phase.CANCELLED) {
            if (refused && !slot.unsure) {
                slots.remove(slot);
            } else if (ours || !(answer instanceof Answer.Exists)) {
                end(slot, now);
            } else {
                slots.remove(slot);
            }
        } else if (pending && answer instanceof Answer.Exists && !ours) {
            slots.remove(slot); // the name belongs to another pod: the next number is used
        } else if (pending && refused && !slot.unsure) {
            slots.remove(slot);
        } else if (pending && (unknown || refused)) {
            if (slot.phase == Phase.CREATING) {
                slots.move(slot, Phase.UNSURE, now);
            }
        } else if (pending) {
            anyCreated = true;
            slots.move(slot, Phase.CREATED, now);
        }
    }

    private void succeeded() {
        failing = false;
        sameRefusals = 0;
        hindrances.clear(Hindrances.Source.CREATION);
    }

    private void failing(String words, long now) {
        if (!failing) {
            failing = true;
            failingNanos = now;
        }
        hindrances.set(Hindrances.Source.CREATION, "pods cannot be created: " + words);
        if (now - failingNanos > FAILING_MAX.toNanos()
                && slots.in(Phase.RUNNING).isEmpty()) {
            giveUp(ErrorCode.CLUSTER_LOST, "no pod could be created for " + FAILING_MAX.toMinutes() + " min: " + words);
        }
    }

    private void refused(Answer.Refused refused, long now) {
        switch (refused.kind()) {
            case INVALID, WEBHOOK_DENIED -> {
                sameRefusals = refused.words().equals(refusal) ? sameRefusals + 1 : 1;
                refusal = refused.words();
                hindrances.set(Hindrances.Source.CREATION, "pods are refused: " + refused.words());
                if (sameRefusals >= SAME_REFUSALS_MAX) {
                    giveUp(ErrorCode.EXECUTORS_FAILED, "the cluster refuses pods of executors: " + refused.words());
                }
            }
            case DENIED -> {
                if (anyCreated) {
                    failing(refused.words(), now);
                } else {
                    giveUp(ErrorCode.CLUSTER_LOST, "this account may not create pods: " + refused.words());
                }
            }
            case NAMESPACE_ENDING ->
                giveUp(ErrorCode.CLUSTER_LOST, "the namespace is being deleted: " + refused.words());
            case QUOTA -> hindrances.set(Hindrances.Source.CREATION, "a quota is used up: " + refused.words());
            case THROTTLED, SERVER, WEBHOOK_DOWN, UNAUTHENTICATED, CONFLICT, GONE -> failing(refused.words(), now);
        }
    }

    /** Ends a pod of this application that is not expected, such as one whose request was given up. */
    private void strange(long executor, PodFacts pod, long now) {
        Slot slot = new Slot(executor, now);
        slot.seen = true;
        slot.facts = pod;
        slots.add(slot);
        end(slot, now);
    }

    private void follow(Slot slot, PodFacts pod, long now) {
        Optional<ContainerFacts> own = pod.container(Verdict.EXECUTOR_CONTAINER);
        if (pod.isTerminal() || own.filter(ContainerFacts::hasEnded).isPresent()) {
            boolean ran = slot.started || own.filter(ContainerFacts::hasEnded).isPresent();
            if (ran && !slot.started && own.isPresent()) {
                start(slot, pod); // it ended between two reports
            }
            finish(slot, Verdict.of(podNames.apply(slot.executor), pod, ran), now);
            return;
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
        if (pod.deleting() || !pod.disruption().isEmpty()) {
            leave(slot, pod, now);
        } else if (slot.phase == Phase.CREATED && !pod.unscheduled().isEmpty()) {
            hindrances.set(Hindrances.Source.SCHEDULER, "no node takes a pod: " + pod.unscheduled());
        } else if (slot.phase == Phase.SCHEDULED) {
            image(slot, pod, now);
        }
    }

    private void start(Slot slot, PodFacts pod) {
        slot.started = true;
        effects.add(new Started(slot.executor, pod.node()));
    }

    private void leave(Slot slot, PodFacts pod, long now) {
        if (slot.phase == Phase.RUNNING) {
            slots.move(slot, Phase.LEAVING, now);
            if (!slot.lost) {
                String why = pod.disruption().isEmpty() ? "its pod is being deleted" : pod.disruption();
                effects.add(new Leaving(slot.executor, why, Duration.ofSeconds(pod.graceSeconds())));
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

    /** Handles that the executor has ended or will never run, and deletes its pod. */
    private void finish(Slot slot, LostExecutor why, long now) {
        if (slot.phase == Phase.ENDING) {
            lose(slot, why);
            return;
        }
        boolean ours = !slot.released.isEmpty();
        if (!ours && !slot.registered && why.cause() != Cause.PREEMPTED && why.cause() != Cause.HOST_LOST) {
            lastWords = why.reason();
            budget.endedEarly(now);
        } else if (!ours && why.cause().chargesTasks()) {
            lastWords = why.reason();
            budget.failed(now);
        }
        lose(slot, why);
        budget.exceeded(now)
                .ifPresent(words -> giveUp(ErrorCode.EXECUTORS_FAILED, words + "; the last one: " + lastWords));
        if (settings.deleteOnTermination() || !slot.facts.isTerminal()) {
            end(slot, now);
        } else {
            slots.remove(slot);
        }
    }

    private void lose(Slot slot, LostExecutor why) {
        if (slot.started && !slot.lost) {
            slot.lost = true;
            effects.add(new Lost(slot.executor, why));
        }
    }

    /** Takes back a request, or ends a pod that exists. */
    private void cancel(Slot slot, long now) {
        if (slot.phase == Phase.CREATING) {
            slots.move(slot, Phase.CANCELLED, now);
        } else if (slot.phase != Phase.CANCELLED) {
            end(slot, now);
        }
    }

    private void end(Slot slot, long now) {
        if (slot.phase != Phase.ENDING) {
            slots.move(slot, Phase.ENDING, now);
            slot.listsWithout = 0;
        }
        if (!slot.facts.deleting() && deletions.add(slot.executor) && !flushing) {
            flushing = true;
            flushNanos = now + DELETE_AFTER.toNanos();
        }
    }

    private void giveUp(ErrorCode code, String reason) {
        if (state == State.OPEN) {
            state = State.GIVEN_UP;
            effects.add(new GiveUp(code, reason));
        }
    }

    /** Brings requests in line with what is wanted, as far as facts and pauses allow. */
    private List<AllocatorEffect> settle(long now) {
        if (state == State.CLOSING) {
            settleClosing(now);
        } else if (state == State.OPEN) {
            expire(now);
            if (!stale) {
                cancelExcess(now);
                createAgain(now);
                create(now);
            }
        }
        if (state != State.CLOSED) {
            flushDeletions(now);
            planWake(now);
            hindrances.change().ifPresent(reason -> effects.add(new Hindered(reason)));
        }
        List<AllocatorEffect> made = effects;
        effects = new ArrayList<>();
        return made;
    }

    private void settleClosing(long now) {
        boolean late = now - closeEndNanos >= 0;
        if (allDeleted && closeAgain && pace.inFlight() == 0) {
            closeAgain = false;
            allDeleted = false;
            effects.add(new DeleteAllPods());
        } else if (flushing && now - flushNanos >= 0 && !late) {
            flushing = false;
            effects.add(new DeleteAllPods());
        }
        if (late || (allDeleted && pace.inFlight() == 0)) {
            state = State.CLOSED;
            deletions.clear();
            effects.add(new Closed());
        }
    }

    private void expire(long now) {
        for (Slot slot : List.copyOf(slots.in(Phase.SCHEDULED).values())) {
            Optional<String> why = overdue(slot, now);
            why.ifPresent(words -> finish(
                    slot,
                    LostExecutor.of(Cause.NEVER_CAME, "pod " + podNames.apply(slot.executor) + ": " + words),
                    now));
        }
        for (Slot slot : List.copyOf(slots.in(Phase.UNSURE).values())) {
            if (now - slot.requestedNanos > settings.unsureTimeout().toNanos()) {
                end(slot, now);
            }
        }
    }

    private Optional<String> overdue(Slot slot, long now) {
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

    private void cancelExcess(long now) {
        for (int excess = slots.live() - wanted; excess > 0; excess--) {
            Optional<Slot> slot = slots.newest(Phase.UNSURE)
                    .or(() -> slots.newest(Phase.CREATING))
                    .or(() -> slots.newest(Phase.CREATED))
                    .or(() -> slots.newest(Phase.SCHEDULED)
                            .filter(last -> now - last.sinceNanos
                                    >= settings.idleTimeout().toNanos()));
            if (slot.isEmpty()) {
                return; // executors that run are ended by the driver alone
            }
            slot.get().released = "not wanted any more";
            cancel(slot.get(), now);
        }
    }

    private void createAgain(long now) {
        for (Slot slot : List.copyOf(slots.in(Phase.UNSURE).values())) {
            if (pace.free(now) == 0) {
                return;
            }
            pace.sent();
            slots.move(slot, Phase.CREATING, now);
            effects.add(new CreatePod(slot.executor));
        }
    }

    private void create(long now) {
        int lacking = Math.min(wanted - slots.live(), settings.pendingMax() - slots.pending());
        boolean trying = budget.isTrying() && slots.pending() > 0; // one at a time while they fail
        while (lacking > 0
                && !trying
                && pace.free(now) > 0
                && budget.remaining(now).isZero()) {
            if (nextExecutor > settings.createdMax()) {
                giveUp(
                        ErrorCode.EXECUTORS_FAILED,
                        settings.createdMax() + " pods were requested (expected: no more,"
                                + " hearth.kubernetes.allocation.maximum)");
                return;
            }
            Slot slot = new Slot(nextExecutor++, now);
            slots.add(slot);
            pace.sent();
            effects.add(new CreatePod(slot.executor));
            lacking--;
            trying = budget.isTrying();
        }
    }

    private void flushDeletions(long now) {
        if (!flushing || now - flushNanos < 0 || state == State.CLOSING) {
            return;
        }
        flushing = false;
        List<Long> all = List.copyOf(deletions);
        deletions.clear();
        for (int from = 0; from < all.size(); from += DELETED_AT_ONCE_MAX) {
            effects.add(new DeletePods(all.subList(from, Math.min(all.size(), from + DELETED_AT_ONCE_MAX))));
        }
    }

    private void planWake(long now) {
        long next = Long.MAX_VALUE; // from now
        if (flushing) {
            next = Math.min(next, flushNanos - now);
        }
        if (state == State.CLOSING) {
            next = Math.min(next, closeEndNanos - now);
        }
        if (state == State.OPEN) {
            if (!slots.in(Phase.UNSURE).isEmpty() || slots.live() < wanted) {
                next = Math.min(next, positive(pace.remaining(now)));
                next = Math.min(next, positive(budget.remaining(now)));
            }
            if (!slots.in(Phase.SCHEDULED).isEmpty()) {
                next = Math.min(next, Duration.ofSeconds(1).toNanos());
            }
        }
        if (next != Long.MAX_VALUE && (!waking || wakeNanos - (now + next) > 0)) {
            waking = true;
            wakeNanos = now + Math.max(0, next);
            effects.add(new Wake(Duration.ofNanos(Math.max(0, next))));
        }
    }

    private static long positive(Duration wait) {
        return wait.isZero() ? Long.MAX_VALUE : wait.toNanos();
    }
}
