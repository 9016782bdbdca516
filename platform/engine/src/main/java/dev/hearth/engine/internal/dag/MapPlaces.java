package dev.hearth.engine.internal.dag;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Where the outputs of one shuffle lay at a time: each map task's by its place among the {@link #holders}. Immutable. */
public final class MapPlaces {
    /** In place of a holder: there is no output of that task. */
    public static final int NOWHERE = -1;

    private final int shuffle;
    private final List<MapOutput> holders;
    private final int[] holderOf;

    MapPlaces(int shuffle, List<MapOutput> holders, int[] holderOf) {
        this.shuffle = shuffle;
        this.holders = List.copyOf(holders);
        this.holderOf = holderOf;
    }

    public int shuffle() {
        return shuffle;
    }

    public int maps() {
        return holderOf.length;
    }

    public List<MapOutput> holders() {
        return holders;
    }

    /** Who has the output of a map task, if anybody. */
    public Optional<MapOutput> holder(int map) {
        return holderOf[map] == NOWHERE ? Optional.empty() : Optional.of(holders.get(holderOf[map]));
    }

    /** Hands over the place of each map task's holder, or {@link #NOWHERE}, in the order of the map tasks. */
    public void eachHolder(IntConsumer consumer) {
        Arrays.stream(holderOf).forEach(consumer);
    }
}
