package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.dag.MapPlaces;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefinePlaces;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.protocol.PlaceMessages;
import java.util.ArrayList;
import java.util.List;

/** Where the driver said last that the outputs of a shuffle lie. Immutable. */
final class OutputTable {
    private final int shuffle;
    private final List<Holder> holders;
    private final int[] holderOf;
    private final List<Integer> missing;

    OutputTable(DefinePlaces message) {
        this.shuffle = message.shuffle();
        this.holders = List.copyOf(message.holders());
        this.holderOf = PlaceMessages.holderOf(message);
        List<Integer> nowhere = new ArrayList<>();
        for (int map = 0; map < holderOf.length; map++) {
            if (holderOf[map] == MapPlaces.NOWHERE) {
                nowhere.add(map);
            }
        }
        this.missing = List.copyOf(nowhere);
    }

    int shuffle() {
        return shuffle;
    }

    int maps() {
        return holderOf.length;
    }

    Holder holder(int map) {
        return holders.get(holderOf[map]);
    }

    /** The map tasks whose output lies nowhere. */
    List<Integer> missing() {
        return missing;
    }
}
