package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import java.util.EnumMap;
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
        in(slot.phase).put(slot.executor, slot);
    }

    void remove(Slot slot) {
        all.remove(slot.executor);
        in(slot.phase).remove(slot.executor);
    }

    /** Moves {@code slot} to its next phase; refuses a move that {@link Phase#leadsTo} does not allow. */
    void move(Slot slot, Phase next, long now) {
        if (!slot.phase.leadsTo(next)) {
            throw new IllegalStateException("executor " + slot.executor + ": from " + slot.phase + " to " + next
                    + " (expected: a later phase)");
        }
        in(slot.phase).remove(slot.executor);
        slot.phase = next;
        slot.sinceNanos = now;
        in(next).put(slot.executor, slot);
    }

    NavigableMap<Long, Slot> in(Phase phase) {
        return Objects.requireNonNull(byPhase.get(phase));
    }

    Optional<Slot> newest(Phase phase) {
        return Optional.ofNullable(in(phase).lastEntry()).map(Map.Entry::getValue);
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
