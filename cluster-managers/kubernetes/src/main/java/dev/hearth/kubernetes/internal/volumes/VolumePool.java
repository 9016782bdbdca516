package dev.hearth.kubernetes.internal.volumes;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.volumes.Claim.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Claims on demand of the executors of one application: which exist, which executor has which, which are created and
 * deleted. A state machine: time arrives as an argument, effects go to a consumer. Invariants: a claim has at most one
 * executor, and another one only after the pod of the first was seen gone; an executor has all of its claims or none; free
 * claims never exceed the executors.
 */
public final class VolumePool {
    /** How long a claim counts as existing after a list or its creation. */
    static final Duration VERIFIED = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
    private static final int OWNER_REQUESTS_MAX = 5;

    private final ClaimSettings settings;
    private final LongFunction<String> names;
    private final Consumer<VolumeEffect> effects;
    private final Map<Long, Claim> all = new TreeMap<>();
    private final Map<State, NavigableMap<Long, Claim>> byState = new EnumMap<>(State.class);
    private final Map<Long, List<Claim>> byExecutor = new TreeMap<>();
    private final Map<Long, Integer> ownerRequests = new TreeMap<>(); // by executor, that failed so far
    private final Set<Long> deletionsToRepeat = new LinkedHashSet<>();
    private final Set<Long> ownersToRepeat = new LinkedHashSet<>();
    private List<ClaimSpec> specs = List.of();
    private long nextClaim = 1;
    private boolean reuses;
    private boolean deletionDenied;
    private boolean listing;
    private long listNanos; // when the last list was requested
    private Duration listPause = Duration.ZERO;
    private long listDueNanos;
    private boolean repeating;
    private long repeatNanos;

    public VolumePool(ClaimSettings settings, LongFunction<String> names, Consumer<VolumeEffect> effects) {
        this.settings = settings;
        this.names = names;
        this.effects = effects;
        this.reuses = settings.driverOwns() && settings.reuses();
        for (State state : State.values()) {
            byState.put(state, new TreeMap<>());
        }
    }

    /** Sets the claims that each executor needs. Called once, before the first executor. */
    public void open(List<ClaimSpec> ofExecutor) {
        specs = List.copyOf(ofExecutor);
    }

    public boolean isUsed() {
        return !specs.isEmpty();
    }

    /** Number of claims that exist or may exist and are not being deleted. */
    public int size() {
        return all.size() - in(State.RETIRING).size();
    }

    /** Number of executors that have claims. */
    public int holders() {
        return byExecutor.size();
    }

    /**
     * Assigns the claims of {@code executor}, all or none. Returns their names by volume, or nothing if some have to be
     * created, verified or awaited.
     */
    public Optional<Map<String, String>> take(long executor, long now) {
        List<Claim> found = new ArrayList<>();
        for (ClaimSpec spec : specs) {
            Claim claim = smallest(spec, in(State.FREE).values(), free -> isUsable(free, now) && !found.contains(free));
            if (claim == null) {
                return Optional.empty();
            }
            found.add(claim);
        }
        for (int i = 0; i < found.size(); i++) {
            Claim claim = found.get(i);
            move(claim, State.ASSIGNED, now);
            claim.executor = executor;
            claim.volume = specs.get(i).volume();
        }
        byExecutor.put(executor, found);
        return Optional.of(claimsOf(executor));
    }

    /** Names of the claims of {@code executor}, by volume. */
    public Map<String, String> claimsOf(long executor) {
        Map<String, String> named = new LinkedHashMap<>();
        byExecutor
                .getOrDefault(executor, List.of())
                .forEach(claim -> named.put(claim.volume, names.apply(claim.number)));
        return named;
    }

    /**
     * Plans what {@code waiting} executors lack, and deletes what is not needed. {@code executorsMax} is the largest number of
     * executors wanted so far. Returns whether executors have to wait for claims of others.
     */
    public boolean settle(int waiting, int executorsMax, long now) {
        Set<Claim> needed = new LinkedHashSet<>();
        int lacking = 0; // claims that may not be created
        for (int i = 0; i < waiting; i++) {
            for (ClaimSpec spec : specs) {
                Claim claim = candidate(spec, needed);
                if (claim == null && (!settings.waits() || all.size() < executorsMax * specs.size())) {
                    claim = new Claim(nextClaim++, spec, now);
                    all.put(claim.number, claim);
                    in(State.PLANNED).put(claim.number, claim);
                }
                if (claim == null) {
                    lacking++;
                } else {
                    needed.add(claim);
                }
            }
        }
        for (Claim claim : List.copyOf(in(State.PLANNED).values())) {
            if (!needed.contains(claim) && !claim.unsure) {
                move(claim, State.GONE, now);
            }
        }
        verify(needed, now);
        int most = specs.size() * Math.max(executorsMax, holders() + waiting);
        retire(needed, Math.min(most, size() - lacking), now); // one that serves another volume makes room
        repeat(now);
        return lacking > 0;
    }

    /** Sends the request for one more claim; returns false if none is needed. */
    public boolean send(long now) {
        Map.Entry<Long, Claim> first = in(State.PLANNED).firstEntry();
        if (first == null) {
            return false;
        }
        move(first.getValue(), State.CREATING, now);
        effects.accept(new VolumeEffect.CreateClaim(first.getKey(), first.getValue().spec));
        return true;
    }

    /** Handles the answer to a {@link VolumeEffect.CreateClaim}; {@code ours} if a claim of that name is this one. */
    public void created(long number, Answer answer, boolean ours, long now) {
        Claim claim = all.get(number);
        if (claim == null || claim.state != State.CREATING) {
            return;
        }
        if (answer instanceof Answer.Done done) {
            exists(claim, done.object(), now);
        } else if (answer instanceof Answer.Exists exists && ours) {
            exists(claim, Optional.of(exists.object()), now);
        } else if (answer instanceof Answer.Unknown) {
            claim.unsure = true;
            move(claim, State.PLANNED, now);
        } else if (answer instanceof Answer.Refused && claim.unsure) {
            move(claim, State.PLANNED, now);
        } else {
            move(claim, State.GONE, now);
        }
    }

    private void exists(Claim claim, Optional<ObjectFacts> object, long now) {
        object.flatMap(ObjectFacts::claim).ifPresent(facts -> claim.facts = facts);
        claim.unsure = false;
        claim.verifiedNanos = now;
        move(claim, claim.facts.deleting() ? State.GONE : State.FREE, now);
    }

    /** Handles that the pod of {@code executor} exists. */
    public void mounted(long executor) {
        List<Claim> claims = byExecutor.getOrDefault(executor, List.of());
        if (!settings.driverOwns() && !claims.isEmpty() && ownerRequests.putIfAbsent(executor, 0) == null) {
            own(executor);
        }
    }

    private void own(long executor) {
        List<Claim> claims = byExecutor.getOrDefault(executor, List.of());
        if (!claims.isEmpty()) {
            effects.accept(new VolumeEffect.OwnClaims(
                    executor, claims.stream().map(claim -> claim.number).toList()));
        }
    }

    /** Handles the answer to {@link VolumeEffect.OwnClaims}; the first that failed if there are several. */
    public void owned(long executor, Answer answer, long now) {
        if (answer instanceof Answer.Done) {
            byExecutor.getOrDefault(executor, List.of()).forEach(claim -> claim.ownedByPod = true);
        } else if (isWorthRepeating(answer) && ownerRequests.merge(executor, 1, Integer::sum) < OWNER_REQUESTS_MAX) {
            ownersToRepeat.add(executor);
            planRepetition(now);
        } // otherwise the driver stays the owner
    }

    /** Handles that the pod of {@code executor} was never created. */
    public void dropped(long executor, long now) {
        release(executor, claim -> move(claim, State.FREE, now));
    }

    /** Handles that the pod of {@code executor} was seen gone. */
    public void gone(long executor, long now) {
        release(executor, claim -> {
            claim.mounted = true;
            if (claim.ownedByPod) {
                move(claim, State.GONE, now); // the cluster deletes it with the pod
            } else if (reuses) {
                claim.verifiedNanos = now - VERIFIED.toNanos() - 1;
                move(claim, State.FREE, now);
            } else {
                retire(claim, now);
            }
        });
    }

    /** Handles that it is not known whether {@code executor} has a pod: no other executor gets its claims. */
    public void doubtful(long executor, long now) {
        release(executor, claim -> retire(claim, now));
    }

    private void release(long executor, Consumer<Claim> then) {
        List<Claim> claims = byExecutor.remove(executor);
        ownerRequests.remove(executor);
        ownersToRepeat.remove(executor);
        if (claims != null) {
            claims.forEach(claim -> {
                claim.executor = Claim.NO_EXECUTOR;
                then.accept(claim);
            });
        }
    }

    /** Handles the claims that a {@link VolumeEffect.ListClaims} found. */
    public void listed(Collection<ObjectFacts> found, long now) {
        listing = false;
        listPause = Duration.ZERO;
        Map<String, ObjectFacts> byName = new TreeMap<>();
        found.forEach(object -> byName.put(object.name(), object));
        for (Claim claim : List.copyOf(in(State.FREE).values())) {
            if (claim.sinceNanos - listNanos > 0) {
                continue; // the list may be older
            }
            ObjectFacts object = byName.get(names.apply(claim.number));
            if (object == null
                    || object.claim().filter(facts -> facts.deleting()).isPresent()) {
                move(claim, State.GONE, now);
                continue;
            }
            object.claim().ifPresent(facts -> claim.facts = facts);
            claim.verifiedNanos = listNanos;
            if (specs.stream().noneMatch(spec -> spec.isServedBy(claim.facts))) {
                retire(claim, now);
            }
        }
    }

    /** Handles a {@link VolumeEffect.ListClaims} that failed. Without the right to list, nothing is reused. */
    public void notListed(Answer answer, long now) {
        listing = false;
        if (answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.DENIED) {
            reuses = false;
            effects.accept(
                    new VolumeEffect.Warn("volumes of executors that have ended are not reused, as this account may"
                            + " not list claims: " + refused.words()));
            for (Claim claim : List.copyOf(in(State.FREE).values())) {
                if (claim.mounted) {
                    retire(claim, now);
                }
            }
            return;
        }
        Duration longer = listPause.isZero() ? PAUSE : listPause.multipliedBy(2);
        listPause = longer.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : longer;
        listDueNanos = now + listPause.toNanos();
    }

    /** Handles the answer to a {@link VolumeEffect.DeleteClaim}. */
    public void deleted(long number, Answer answer, long now) {
        Claim claim = all.get(number);
        if (claim == null || claim.state != State.RETIRING) {
            return;
        }
        if (isWorthRepeating(answer)) {
            deletionsToRepeat.add(number);
            planRepetition(now);
            return;
        }
        if (answer instanceof Answer.Refused refused && !deletionDenied) {
            deletionDenied = true;
            effects.accept(
                    new VolumeEffect.Warn("volumes that are not needed stay until the application ends, as claims"
                            + " cannot be deleted: " + refused.words()));
        }
        move(claim, State.GONE, now);
    }

    private static boolean isWorthRepeating(Answer answer) {
        return answer instanceof Answer.Unknown
                || (answer instanceof Answer.Refused refused && refused.kind().isTransient());
    }

    /** Nanoseconds until {@link #settle} has something to do without an event; the largest number if it has not. */
    public long remaining(long now) {
        long next = repeating ? repeatNanos - now : Long.MAX_VALUE;
        return listPause.isZero() || listing ? next : Math.min(next, Math.max(1, listDueNanos - now));
    }

    /** Lists the claims if some of {@code needed} may have been deleted by others meanwhile. */
    private void verify(Set<Claim> needed, long now) {
        boolean due = listPause.isZero() || now - listDueNanos >= 0;
        boolean stale = needed.stream().anyMatch(claim -> claim.state == State.FREE && !isUsable(claim, now));
        if (stale && !listing && due) {
            listing = true;
            listNanos = now;
            effects.accept(new VolumeEffect.ListClaims());
        } else if (!stale) {
            listPause = Duration.ZERO;
        }
    }

    /** Deletes free claims that are not needed, the newest first, until there are {@code most}. */
    private void retire(Set<Claim> needed, int most, long now) {
        if (size() <= most) {
            return; // the usual case costs nothing
        }
        for (Claim claim : List.copyOf(in(State.FREE).descendingMap().values())) {
            if (size() <= most) {
                return;
            }
            if (!needed.contains(claim)) {
                retire(claim, now);
            }
        }
    }

    private void retire(Claim claim, long now) {
        move(claim, State.RETIRING, now);
        effects.accept(new VolumeEffect.DeleteClaim(claim.number));
    }

    private void planRepetition(long now) {
        if (!repeating) {
            repeating = true;
            repeatNanos = now + PAUSE.toNanos();
        }
    }

    private void repeat(long now) {
        if (repeating && now - repeatNanos >= 0) {
            repeating = false;
            deletionsToRepeat.forEach(number -> effects.accept(new VolumeEffect.DeleteClaim(number)));
            deletionsToRepeat.clear();
            ownersToRepeat.forEach(this::own);
            ownersToRepeat.clear();
        }
    }

    /** A claim for {@code spec} that exists or is being created, and that is not in {@code taken}. */
    private @Nullable Claim candidate(ClaimSpec spec, Set<Claim> taken) {
        for (State state : List.of(State.FREE, State.CREATING, State.PLANNED)) {
            Claim found = smallest(spec, in(state).values(), claim -> !taken.contains(claim));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The smallest claim for {@code spec} among those of {@code claims} that {@code fit}. */
    private static @Nullable Claim smallest(ClaimSpec spec, Collection<Claim> claims, Predicate<Claim> fit) {
        Claim best = null;
        for (Claim claim : claims) {
            if (fit.test(claim) && spec.isServedBy(claim.facts)) {
                if (claim.facts.size().equals(spec.size())) {
                    return claim; // none is smaller, and hundreds may be free
                }
                if (best == null || !VolumeSize.isEnough(claim.facts.size(), best.facts.size())) {
                    best = claim;
                }
            }
        }
        return best;
    }

    /** Whether a free claim can be given to an executor now. Without reuse there are only those that no pod had. */
    private boolean isUsable(Claim claim, long now) {
        return !reuses || now - claim.verifiedNanos <= VERIFIED.toNanos();
    }

    private void move(Claim claim, State next, long now) {
        if (!claim.state.leadsTo(next)) {
            throw new IllegalStateException(
                    "claim " + claim.number + ": from " + claim.state + " to " + next + " (expected: a later state)");
        }
        in(claim.state).remove(claim.number);
        claim.state = next;
        claim.sinceNanos = now;
        if (next == State.GONE) {
            all.remove(claim.number);
        } else {
            in(next).put(claim.number, claim);
        }
    }

    private NavigableMap<Long, Claim> in(State state) {
        return Objects.requireNonNull(byState.get(state));
    }

    @Override
    public String toString() {
        return all.values().toString();
    }
}
