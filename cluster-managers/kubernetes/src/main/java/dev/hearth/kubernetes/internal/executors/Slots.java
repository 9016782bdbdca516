package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.spi.cluster.ProfileId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The slots of one application by number and phase. Owned by {@link PodAllocator}. */
final class Slots {
    private final Map<Long, Slot> all = new TreeMap<>();
    private final Map<Phase, TreeMap<Long, Slot>> byPhase = new EnumMap<>(Phase.class);

    private final Map<ProfileId, Integer> live = new LinkedHashMap<>();

    Slots() {
        for (Phase phase : Phase.values()) {
            byPhase.put(phase, new TreeMap<>());
        }
    }

    @Nullable
    Slot find(long executor) {
        return all.get(executor);
    }

    void add(Slot slot) {
        all.put(slot.executor, slot);
        put(slot);
    }

    void remove(Slot slot) {
        all.remove(slot.executor);
        take(slot);
    }

    /** Moves {@code slot} to its next phase; refuses a move that {@link Phase#leadsTo} does not allow. */
    void move(Slot slot, Phase next, long now) {
        if (!slot.phase.leadsTo(next)) {
            throw new IllegalStateException("executor " + slot.executor + ": from " + slot.phase + " to " + next
                    + " (expected: a later phase)");
        }
        take(slot);
        slot.phase = next;
        slot.sinceNanos = now;
        put(slot);
    }

    NavigableMap<Long, Slot> in(Phase phase) {
        return Objects.requireNonNull(byPhase.get(phase));
    }

    private void put(Slot slot) {
        if (in(slot.phase).put(slot.executor, slot) == null && slot.phase.isLive()) {
            live.merge(slot.profile, 1, Integer::sum);
        }
    }

    private void take(Slot slot) {
        if (in(slot.phase).remove(slot.executor) != null && slot.phase.isLive()) {
            live.merge(slot.profile, -1, Integer::sum);
        }
    }

    /** The newest executor of a profile in a phase. */
    Optional<Slot> newest(Phase phase, ProfileId profile) {
        return in(phase).descendingMap().values().stream()
                .filter(slot -> slot.profile.equals(profile))
                .findFirst();
    }

    /** Number of live executors of a profile. */
    int live(ProfileId profile) {
        return live.getOrDefault(profile, 0);
    }

    int live() {
        return pending() + in(Phase.RUNNING).size();
    }

    int pending() {
        return in(Phase.WAITING).size()
                + in(Phase.CREATING).size()
                + in(Phase.UNSURE).size()
                + in(Phase.CREATED).size()
                + in(Phase.SCHEDULED).size();
    }

    int size() {
        return all.size();
    }

    @Override
    public String toString() {
        return byPhase.toString();
    }
}
