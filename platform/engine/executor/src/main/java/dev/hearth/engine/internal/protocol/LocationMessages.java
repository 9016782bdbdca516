package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes map output locations in one or two bytes per map task, and decodes them. A full table contains one code per
 * map task. A delta contains, per changed map task, the distance from the previous one and a code. Code 0 means a
 * missing output. Code 1 means an executor that occurs for the first time, code 2 + i the executor with index i. The
 * list of executors follows, in the order of their first use. Stateless.
 */
public final class LocationMessages {
    private static final int NOBODY = 0;
    private static final int ANOTHER = 1;
    private static final int KNOWN = 2;

    private LocationMessages() {}

    /**
     * Receiver of decoded locations: {@link #put} takes a map task and the executor that stores its output, or null if
     * the output is missing.
     */
    public interface Places {
        void put(int map, @Nullable BlockServerAddress holder);
    }

    /**
     * Encodes the locations of the outputs of all map tasks of a shuffle. {@code addresses} returns the address at
     * which an executor serves its blocks; empty if it is unreachable.
     */
    public static UpdateLocations all(MapOutputLocations places, Function<ExecutorId, String> addresses) {
        Writing writing = new Writing(places, addresses);
        for (int map = 0; map < places.maps(); map++) {
            writing.number(map);
        }
        return writing.message(0);
    }

    /**
     * Encodes the locations of the map tasks {@code maps} only, which are those that have changed since the epoch
     * {@code since}.
     */
    public static UpdateLocations changed(
            MapOutputLocations places, long since, int[] maps, Function<ExecutorId, String> addresses) {
        Writing writing = new Writing(places, addresses);
        writing.packed.number(maps.length);
        int before = -1;
        for (int map : maps) {
            writing.packed.number(map - before - 1);
            writing.number(map);
            before = map;
        }
        return writing.message(since);
    }

    /**
     * Encoder of one message: collects the location of each map task that is passed to it, and the list of executors.
     */
    private static final class Writing {
        final LocationPacker packed = new LocationPacker();
        private final MapOutputLocations places;
        private final Function<ExecutorId, String> addresses;
        // Index of each location in {@code holders}; the map is never iterated.
        private final IdentityHashMap<MapOutputLocation, Integer> known = new IdentityHashMap<>();
        private final List<MapOutputLocation> holders = new ArrayList<>();

        Writing(MapOutputLocations places, Function<ExecutorId, String> addresses) {
            this.places = places;
            this.addresses = addresses;
        }

        void number(int map) {
            MapOutputLocation holder = places.holder(map).orElse(null);
            if (holder == null) {
                packed.number(NOBODY);
                return;
            }
            Integer place = known.putIfAbsent(holder, holders.size());
            if (place == null) {
                holders.add(holder);
                packed.number(ANOTHER);
            } else {
                packed.number(KNOWN + place);
            }
        }

        UpdateLocations message(long since) {
            for (MapOutputLocation holder : holders) {
                packed.text(holder.executor().value());
                packed.text(holder.host());
                packed.text(addresses.apply(holder.executor()));
            }
            return new UpdateLocations(
                    places.shuffle(), places.maps(), List.of(), packed.pack(), places.epoch(), since);
        }
    }

    /**
     * Decodes the locations in {@code message} and passes them to {@code places}. If the message is malformed, fails
     * before any location is passed.
     */
    public static void read(UpdateLocations message, Places places) {
        if (message.epoch() == 0) {
            readPlain(message, places);
            return;
        }
        LocationUnpacker packed = LocationUnpacker.of(message);
        int[] maps = message.since() == 0 ? all(message, packed) : new int[packed.count("map tasks")];
        int[] holderOf = new int[maps.length];
        int found = 0;
        int map = -1;
        for (int i = 0; i < maps.length; i++) {
            if (message.since() != 0) {
                map = packed.place(map + 1L, message.maps(), "map task");
                maps[i] = map;
            }
            int number = packed.place(0, KNOWN + found, "holder");
            holderOf[i] = number == ANOTHER ? found++ : number - KNOWN;
        }
        BlockServerAddress[] holders = new BlockServerAddress[found];
        for (int i = 0; i < found; i++) {
            holders[i] = new BlockServerAddress(packed.executor(), packed.text(), packed.text());
        }
        packed.requireEnd();
        for (int i = 0; i < maps.length; i++) {
            places.put(maps[i], holderOf[i] < 0 ? null : holders[holderOf[i]]);
        }
    }

    private static int[] all(UpdateLocations message, LocationUnpacker packed) {
        int[] maps = new int[packed.requireCount(message.maps(), "map tasks")];
        Arrays.setAll(maps, map -> map);
        return maps;
    }

    private static void readPlain(UpdateLocations message, Places places) {
        LocationUnpacker plain = LocationUnpacker.plain(message);
        int[] holderOf = new int[plain.requireCount(message.maps(), "map tasks")];
        for (int map = 0; map < holderOf.length; map++) {
            holderOf[map] = plain.place(0, message.holders().size() + 1, "holder") - 1;
        }
        plain.requireEnd();
        for (int map = 0; map < holderOf.length; map++) {
            places.put(map, holderOf[map] < 0 ? null : message.holders().get(holderOf[map]));
        }
    }
}
