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

/** Locations of the map outputs of one shuffle, as the driver last sent them. Immutable. */
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
        List<Integer> missingMaps = new ArrayList<>();
        for (int map = 0; map < holderOf.length; map++) {
            if (holderOf[map] == null) {
                missingMaps.add(map);
            }
        }
        this.missing = List.copyOf(missingMaps);
    }

    /**
     * Creates the table of the locations in {@code message}. If the message contains only changes, they are applied to
     * {@code before}, the previous table. Fails if the changes were not made against exactly the epoch of that table.
     */
    static MapOutputTable of(UpdateLocations message, @Nullable MapOutputTable before) {
        if (message.since() == 0) {
            return new MapOutputTable(message, new @Nullable BlockServerAddress[0]);
        }
        if (before == null || before.epoch != message.since() || before.maps() != message.maps()) {
            throw ErrorCode.MALFORMED_MESSAGE.failure("map output locations of shuffle " + message.shuffle()
                    + ": changes for " + message.maps() + " map tasks since epoch " + message.since() + ", where "
                    + (before == null ? "no table" : "epoch " + before.epoch + " of " + before.maps())
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

    /** Returns the map tasks of the shuffle whose output no executor has. */
    List<Integer> missing() {
        return missing;
    }
}
