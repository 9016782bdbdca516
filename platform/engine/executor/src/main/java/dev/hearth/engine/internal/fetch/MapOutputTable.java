package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.protocol.LocationMessages;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where the driver said last that the outputs of a shuffle lie. Immutable. */
final class MapOutputTable {
    private final int shuffle;
    private final long epoch;
    private final @Nullable BlockServerAddress[] holderOf;
    private final List<Integer> missing;

    private MapOutputTable(UpdateLocations message, @Nullable BlockServerAddress[] before) {
        this.shuffle = message.shuffle();
        this.epoch = message.epoch();
        List<@Nullable BlockServerAddress> all = new ArrayList<>(Arrays.asList(before));
        LocationMessages.read(message, (map, holder) -> {
            if (map < all.size()) {
                all.set(map, holder);
            } else {
                all.add(holder);
            }
        });
        this.holderOf = all.toArray(new @Nullable BlockServerAddress[0]);
        List<Integer> nowhere = new ArrayList<>();
        for (int map = 0; map < holderOf.length; map++) {
            if (holderOf[map] == null) {
                nowhere.add(map);
            }
        }
        this.missing = List.copyOf(nowhere);
    }

    /** What a message says, where {@code before} was known, if anything; fails when it makes no sense there. */
    static MapOutputTable of(UpdateLocations message, @Nullable MapOutputTable before) {
        if (message.since() == 0) {
            return new MapOutputTable(message, new @Nullable BlockServerAddress[0]);
        }
        if (before == null || before.epoch != message.since() || before.maps() != message.maps()) {
            throw ErrorCode.MALFORMED_MESSAGE.failure("places of shuffle " + message.shuffle()
                    + ": what changed for " + message.maps() + " map tasks since epoch " + message.since() + ", where "
                    + (before == null ? "nothing" : "epoch " + before.epoch + " of " + before.maps())
                    + " is known (expected: that epoch)");
        }
        return new MapOutputTable(message, before.holderOf);
    }

    int shuffle() {
        return shuffle;
    }

    int maps() {
        return holderOf.length;
    }

    BlockServerAddress holder(int map) {
        return Objects.requireNonNull(holderOf[map]);
    }

    /** The map tasks whose output lies nowhere. */
    List<Integer> missing() {
        return missing;
    }
}
