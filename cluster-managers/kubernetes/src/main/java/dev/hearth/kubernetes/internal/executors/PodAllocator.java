package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Closed;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.CreatePod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeleteAllPods;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeletePods;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.GiveUp;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Hindered;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.LabelPod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.ReadPod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Wake;
import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Executors of one application: how many pods are requested, deleted, and reported. A state machine: time arrives as an
 * argument, effects are returned; {@link KubernetesBackend} owns it. Invariants: a number is used once; live pods never
 * exceed the wanted number, those under deletion excepted; each executor reported as started is reported as lost once,
 * unless the application closes first; no pod is created or deleted on stale facts.
 */
final class PodAllocator {
    /** How long a pod counts that was created, and that one list lacks. */
    private static final Duration MISSED_MAX = Duration.ofMinutes(1);

    private static final Comparator<ProfileId> BY_ID = Comparator.comparingInt(ProfileId::value);

    private final AllocatorSettings settings;
    private final LongFunction<String> podNames;
    private final Pace pace;
    private final RateCeiling ceiling;
    private final FailureBudget budget;
    private final Hindrances hindrances = new Hindrances();
    private final CreationFailures failures = CreationFailures.ofPods(hindrances);
    private final Slots slots = new Slots();
    private final Deletions deletions = new Deletions();
    private final UnseenPods unseen = new UnseenPods();
    private final Closing closing = new Closing();
    private final WakePlan wakes = new WakePlan();
    private final PodProgress progress;
    private final ExecutorEnds ends;
    private final SlotVolumes volumes;
    private final Set<Slot> missed = new LinkedHashSet<>(); // pods that exist by their answer and one list lacks
    private List<AllocatorEffect> effects = new ArrayList<>();
    private State state = State.OPEN;
    private SortedMap<ProfileId, Integer> wanted = new TreeMap<>(BY_ID); // numbers of executors by profile
    private long firstExecutor = 1;
    private long nextExecutor = 1;
    private boolean stale = true; // until the first list

    enum State {
        OPEN,
        /** Too many executors failed; the driver ends the application. */
        GIVEN_UP,
        /** A later driver of the application has taken over; nothing is created or deleted any more. */
        SUPERSEDED,
        CLOSING,
        CLOSED
    }

    /** {@code podNames} and {@code claimNames} are the names of pods and claims by their numbers. */
    PodAllocator(AllocatorSettings settings, LongFunction<String> podNames, LongFunction<String> claimNames) {
        this.settings = settings;
        this.podNames = podNames;
        this.pace = new Pace(settings.parallelMax());
        this.ceiling = new RateCeiling(settings.rules().ceiling());
        this.budget = new FailureBudget(settings.failuresMax(), settings.failuresValidity());
        this.progress = new PodProgress(settings, podNames, slots, hindrances, this::perform);
        this.ends = new ExecutorEnds(slots, deletions, budget, hindrances, settings, this::perform);
        this.volumes = new SlotVolumes(settings.claims(), claimNames, slots, pace, hindrances, this::perform);
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

    SlotVolumes volumes() {
        return volumes;
    }

    /** Sets the number of the first executor, before any is requested. */
    void startAt(long executor) {
        firstExecutor = executor;
        nextExecutor = executor;
    }

    /** Handles that a later driver of the application has taken over. */
    List<AllocatorEffect> superseded(long now) {
        if (state == State.OPEN || state == State.GIVEN_UP) {
            state = State.SUPERSEDED;
        }
        return settle(now);
    }

    /** Whether the executor with this number is to go on, as far as the driver is concerned. */
    boolean isWanted(long executor) {
        Slot slot = slots.find(executor);
        return slot != null && slot.phase != Phase.ENDING && slot.phase != Phase.CANCELLED;
    }

    /** Numbers of the executors whose pods exist and are to go on. */
    List<Long> wantedExecutors() {
        return Stream.of(Phase.CREATED, Phase.SCHEDULED, Phase.RUNNING)
                .flatMap(phase -> slots.in(phase).keySet().stream())
                .toList();
    }

    /** Sets the number of executors, all of the default profile. */
    List<AllocatorEffect> want(int total, long now) {
        return want(Map.of(ProfileId.DEFAULT, total), now);
    }

    /** Sets the numbers of executors by profile; those of lower ids are requested first. */
    List<AllocatorEffect> want(Map<ProfileId, Integer> totals, long now) {
        SortedMap<ProfileId, Integer> ordered = new TreeMap<>(BY_ID);
        ordered.putAll(totals);
        wanted.keySet().forEach(profile -> ordered.putIfAbsent(profile, 0));
        wanted = ordered;
        int total = (int) Math.min(
                Integer.MAX_VALUE,
                ordered.values().stream().mapToLong(Integer::longValue).sum());
        budget.wanted(total);
        volumes.wanted(total);
        return settle(now);
    }

    List<AllocatorEffect> release(Collection<Long> executors, String reason, long now) {
        for (long executor : executors) {
            Slot slot = slots.find(executor);
            if (slot != null && slot.released.isEmpty() && slot.phase != Phase.ENDING) {
                slot.released = reason.isEmpty() ? "released" : reason;
                ends.lose(slot, LostExecutor.released(slot.released));
                ends.cancel(slot, now);
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
        hindrances.clear(Hindrances.Source.EARLY_END);
        return settle(now);
    }

    /** Handles that the driver receives no message of an executor: the cluster may know more than the watch has reported. */
    List<AllocatorEffect> doubted(long executor, long now) {
        Slot slot = slots.find(executor);
        if (slot != null && slot.started && !slot.lost) {
            slot.doubted(now);
            effects.add(new ReadPod(executor));
        }
        return settle(now);
    }

    /** Handles that the driver decommissions an executor: others see it at its pod. */
    List<AllocatorEffect> decommissioned(long executor, long now) {
        if (slots.find(executor) != null && !settings.rules().leavingLabels().isEmpty()) {
            effects.add(new LabelPod(executor, settings.rules().leavingLabels()));
        }
        return settle(now);
    }

    /** Handles the answer to {@link CreatePod}; {@code ours} if an existing pod of that name is that of this executor. */
    List<AllocatorEffect> created(long executor, Answer answer, boolean ours, long now) {
        Slot slot = slots.find(executor);
        if (answer instanceof Answer.Refused refused) {
            pace.refused(refused.kind(), refused.retryAfter(), now);
            failures.refused(refused, isAnyRunning(), now).ifPresent(this::giveUp);
        } else if (answer instanceof Answer.Unknown unknown) {
            pace.unanswered(now);
            failures.unanswered(unknown.words(), isAnyRunning(), now).ifPresent(this::giveUp);
        } else {
            pace.succeeded();
            failures.succeeded();
        }
        if (slot != null) {
            answered(slot, answer, ours, now);
        }
        if (state == State.CLOSING) {
            closing.created();
        }
        return settle(now);
    }

    List<AllocatorEffect> seen(long executor, PodFacts pod, long now) {
        Slot slot = slots.find(executor);
        if (slot == null) {
            if (!ends.stays(executor, pod)) {
                ends.endStrange(executor, pod, now);
            }
            return settle(now);
        }
        slot.seen = true;
        slot.facts = pod;
        if (slot.phase == Phase.CANCELLED) {
            ends.end(slot, now);
        } else if (slot.phase == Phase.CREATING || slot.phase == Phase.UNSURE) {
            slots.move(slot, Phase.CREATED, now);
            volumes.mounted(executor);
        }
        if (slot.phase != Phase.ENDING) {
            progress.follow(slot, pod, now).ifPresent(why -> finish(slot, why, now));
        }
        if (slot.phase == Phase.CREATED && volumes.isNamedIn(pod.unscheduled(), executor)) {
            slot.released = "a claim of its volumes is gone";
            ends.cancel(slot, now);
        }
        return settle(now);
    }

    /** Handles the answer to {@link ReadPod}. */
    List<AllocatorEffect> read(long executor, Answer answer, long now) {
        Slot slot = slots.find(executor);
        boolean unreported = slot != null && slot.phase == Phase.CREATED && !slot.seen;
        boolean doubted = slot != null && slot.isDoubted(now) && slot.phase != Phase.ENDING;
        if (unreported && answer instanceof Answer.Missing) {
            slots.remove(slot);
        } else if (doubted && answer instanceof Answer.Missing) {
            return vanished(executor, slot.facts, now);
        } else if ((unreported || doubted)
                && answer instanceof Answer.Done done
                && done.object().isPresent()) {
            return seen(executor, done.object().get().requirePod(), now);
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
        volumes.gone(executor, now);
        ends.forget(executor);
        pace.resume(); // a quota may have room now
        return settle(now);
    }

    /** Handles the end of a list that was requested at {@code requestedNanos} and whose pods were reported before. */
    List<AllocatorEffect> listed(long requestedNanos, long now) {
        for (Slot slot : List.copyOf(slots.in(Phase.CREATED).values())) {
            boolean lacking = !slot.seen && requestedNanos - slot.sinceNanos > 0;
            slot.listsWithout += lacking ? 1 : 0;
            if (slot.listsWithout >= 2) {
                forget(slot, now);
            } else if (lacking) {
                missed.add(slot);
            }
        }
        for (Slot slot : List.copyOf(slots.in(Phase.ENDING).values())) {
            if (!slot.seen && requestedNanos - slot.sinceNanos > 0 && ++slot.listsWithout >= 2) {
                forget(slot, now);
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
            deletions.again(
                    executors.stream()
                            .filter(executor -> slots.find(executor) != null)
                            .toList(),
                    now);
        } else {
            executors.stream().map(slots::find).forEach(slot -> {
                if (slot != null && !slot.seen) {
                    slots.remove(slot); // it never existed, or ends unseen
                    volumes.doubtful(slot.executor, now);
                }
            });
        }
        return settle(now);
    }

    /** Handles the answer to {@link DeleteAllPods}. */
    List<AllocatorEffect> allDeleted(Answer answer, long now) {
        boolean succeeded = answer instanceof Answer.Done || answer instanceof Answer.Missing;
        closing.deleted(succeeded);
        if (state == State.CLOSING && !succeeded) {
            deletions.again(List.of(), now);
        }
        return settle(now);
    }

    List<AllocatorEffect> wake(long now) {
        wakes.woken();
        return settle(now);
    }

    List<AllocatorEffect> close(long now) {
        if (state == State.OPEN || state == State.GIVEN_UP) {
            state = State.CLOSING;
            wanted.clear();
            closing.begin(now);
            effects.add(new DeleteAllPods());
        } else if (state == State.SUPERSEDED) {
            state = State.CLOSED;
            effects.add(new Closed());
        }
        return settle(now);
    }

    /** Handles the answer to the creation of a claim; {@code ours} if an existing claim of that name is that claim. */
    List<AllocatorEffect> claimCreated(long claim, Answer answer, boolean ours, long now) {
        volumes.created(claim, answer, ours, isAnyRunning(), now).ifPresent(this::giveUp);
        if (state == State.CLOSING) {
            closing.created();
        }
        return settle(now);
    }

    /** Handles another event of the volumes, which {@code event} passes on. */
    List<AllocatorEffect> volumes(Consumer<SlotVolumes> event, long now) {
        event.accept(volumes);
        return settle(now);
    }

    /** Forgets a slot whose pod two lists lack. A request for it that had no answer may still have its effect. */
    private void forget(Slot slot, long now) {
        slots.remove(slot);
        if (slot.unsure) {
            volumes.doubtful(slot.executor, now);
        } else {
            volumes.gone(slot.executor, now);
        }
    }

    private void dropped(Slot slot, long now) {
        slots.remove(slot);
        volumes.dropped(slot.executor, now);
    }

    private void answered(Slot slot, Answer answer, boolean ours, long now) {
        boolean refused = answer instanceof Answer.Refused;
        boolean unknown = answer instanceof Answer.Unknown;
        slot.unsure |= unknown;
        boolean pending = slot.phase == Phase.CREATING || slot.phase == Phase.UNSURE;
        if (slot.phase == Phase.CANCELLED) {
            boolean mayExist = refused ? slot.unsure : ours || !(answer instanceof Answer.Exists);
            if (mayExist) {
                ends.end(slot, now);
            } else {
                dropped(slot, now);
            }
        } else if (pending && answer instanceof Answer.Exists && !ours) {
            dropped(slot, now); // the name belongs to another pod: the next number is used
        } else if (pending && refused && !slot.unsure) {
            dropped(slot, now);
        } else if (pending && (unknown || refused)) {
            if (slot.phase == Phase.CREATING) {
                slots.move(slot, Phase.UNSURE, now);
            }
        } else if (pending) {
            failures.created();
            slots.move(slot, Phase.CREATED, now);
            volumes.mounted(slot.executor);
            unseen.add(slot.executor, now);
        }
    }

    private void finish(Slot slot, LostExecutor why, long now) {
        ends.finish(slot, why, now).ifPresent(words -> giveUp(ErrorCode.EXECUTORS_FAILED, words));
    }

    private boolean isAnyRunning() {
        return !slots.in(Phase.RUNNING).isEmpty();
    }

    private void perform(AllocatorEffect effect) {
        effects.add(effect);
    }

    private void giveUp(CreationFailures.Verdict why) {
        giveUp(why.code(), why.reason());
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
                readUnseen(now);
                cancelExcess(now);
                createAgain(now);
                create(now);
                volumes.settle(now);
            }
        }
        if (state != State.CLOSED && state != State.SUPERSEDED) {
            flushDeletions(now);
            planWake(now);
            hindrances.change().ifPresent(reason -> effects.add(new Hindered(reason)));
        }
        List<AllocatorEffect> made = effects;
        effects = new ArrayList<>();
        return made;
    }

    private void settleClosing(long now) {
        if (closing.takeDeletion(pace.inFlight()) || (!closing.isLate(now) && deletions.take(now))) {
            effects.add(new DeleteAllPods());
        }
        if (closing.isOver(pace.inFlight(), now)) {
            state = State.CLOSED;
            deletions.clear();
            effects.add(new Closed());
        }
    }

    private void expire(long now) {
        missed.removeIf(slot -> slot.seen || slot.phase != Phase.CREATED);
        for (Slot slot : List.copyOf(missed)) {
            if (now - slot.sinceNanos > MISSED_MAX.toNanos()) {
                ends.end(slot, now); // no list may follow for hours
            }
        }
        for (Slot slot : List.copyOf(slots.in(Phase.SCHEDULED).values())) {
            progress.overdue(slot, now).ifPresent(why -> finish(slot, why, now));
        }
        for (Slot slot : List.copyOf(slots.in(Phase.UNSURE).values())) {
            if (now - slot.requestedNanos > settings.unsureTimeout().toNanos()) {
                ends.end(slot, now);
            }
        }
    }

    private void readUnseen(long now) {
        for (long executor : unseen.due(now)) {
            Slot slot = slots.find(executor);
            if (slot != null && slot.phase == Phase.CREATED && !slot.seen) {
                effects.add(new ReadPod(executor));
                unseen.add(executor, now);
            }
        }
    }

    private void cancelExcess(long now) {
        wanted.forEach((profile, total) -> cancelExcess(profile, total, now));
    }

    private void cancelExcess(ProfileId profile, int total, long now) {
        for (int excess = slots.live(profile) - total; excess > 0; excess--) {
            Optional<Slot> slot = slots.newest(Phase.WAITING, profile)
                    .or(() -> slots.newest(Phase.UNSURE, profile))
                    .or(() -> slots.newest(Phase.CREATING, profile))
                    .or(() -> slots.newest(Phase.CREATED, profile))
                    .or(() -> slots.newest(Phase.SCHEDULED, profile)
                            .filter(last -> now - last.sinceNanos
                                    >= settings.idleTimeout().toNanos()));
            if (slot.isEmpty()) {
                return; // executors that run are ended by the driver alone
            }
            slot.get().released = "not wanted any more";
            ends.cancel(slot.get(), now);
        }
    }

    private void createAgain(long now) {
        for (Slot slot : List.copyOf(slots.in(Phase.UNSURE).values())) {
            if (pace.free(now) == 0) {
                return;
            }
            pace.sent();
            slots.move(slot, Phase.CREATING, now);
            effects.add(new CreatePod(slot.executor, slot.profile, volumes.claimsOf(slot.executor)));
        }
    }

    private void create(long now) {
        wanted.forEach((profile, total) -> create(profile, total - slots.live(profile), now));
    }

    private boolean isLacking() {
        return wanted.entrySet().stream().anyMatch(total -> slots.live(total.getKey()) < total.getValue());
    }

    private void create(ProfileId profile, int missing, long now) {
        int lacking = Math.min(missing, settings.pendingMax() - slots.pending());
        boolean trying = budget.isTrying() && slots.pending() > 0; // one at a time while they fail
        while (lacking > 0
                && !trying
                && (volumes.areUsed() ? volumes.hasRoom() : pace.free(now) > 0)
                && ceiling.admits(now)
                && budget.remaining(now).isZero()) {
            if (nextExecutor - firstExecutor >= settings.createdMax()) {
                giveUp(
                        ErrorCode.EXECUTORS_FAILED,
                        settings.createdMax() + " pods were requested (expected: no more,"
                                + " hearth.kubernetes.allocation.maximum)");
                return;
            }
            Slot slot = new Slot(nextExecutor++, profile, now);
            ceiling.requested();
            if (volumes.areUsed()) {
                slot.phase = Phase.WAITING;
                slots.add(slot);
            } else {
                slots.add(slot);
                pace.sent();
                effects.add(new CreatePod(slot.executor, profile, Map.of()));
            }
            lacking--;
            trying = budget.isTrying();
        }
    }

    private void flushDeletions(long now) {
        if (state != State.CLOSING && deletions.take(now)) {
            deletions.requests().forEach(executors -> effects.add(new DeletePods(executors)));
        }
    }

    private void planWake(long now) {
        long next = deletions.remaining(now); // from now
        if (state == State.CLOSING) {
            next = Math.min(next, closing.remaining(now));
        }
        if (state == State.OPEN) {
            next = Math.min(next, stale ? Long.MAX_VALUE : volumes.remaining(now));
            if (!slots.in(Phase.UNSURE).isEmpty() || !slots.in(Phase.WAITING).isEmpty() || isLacking()) {
                next = Math.min(next, positive(pace.remaining(now)));
                next = Math.min(next, positive(budget.remaining(now)));
                next = Math.min(next, positive(ceiling.remaining(now)));
            }
            if (!stale) {
                next = Math.min(next, unseen.remaining(now));
            }
            if (!slots.in(Phase.SCHEDULED).isEmpty() || !missed.isEmpty()) {
                next = Math.min(next, Duration.ofSeconds(1).toNanos());
            }
        }
        wakes.plan(next, now).ifPresent(after -> effects.add(new Wake(after)));
    }

    private static long positive(Duration wait) {
        return wait.isZero() ? Long.MAX_VALUE : wait.toNanos();
    }
}
