package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.protocol.LocationMessages;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The places of map outputs in the form that travels: written once for all executors that know the same, as what changed since they
 * were told, or all of it. Bounded; what is not here is written again. Owned by the driver's loop.
 */
final class MapOutputUpdates {
    private static final int SHUFFLES_MAX = 16;
    private static final int MESSAGES_MAX = 64; // of a shuffle in one epoch

    private final Function<ExecutorId, String> addresses;
    private final Map<Integer, Written> shuffles = new LinkedHashMap<>();

    /** What was written of a shuffle in one epoch, by what is known before it is read: 0 for nothing. */
    private record Written(long epoch, Map<Long, UpdateLocations> known) {}

    /** {@code addresses} tells where executors serve their blocks. */
    MapOutputUpdates(Function<ExecutorId, String> addresses) {
        this.addresses = addresses;
    }

    /** What somebody has to be told who was told the places as of an epoch, 0 where of none; empty when that is nothing. */
    Optional<UpdateLocations> since(long told, MapOutputLocations now) {
        if (told == now.epoch()) {
            return Optional.empty();
        }
        Written written = shuffles.get(now.shuffle());
        if (written == null || written.epoch != now.epoch()) {
            written = new Written(now.epoch(), new LinkedHashMap<>());
            put(shuffles, now.shuffle(), written, SHUFFLES_MAX);
        }
        UpdateLocations message = written.known.get(told);
        if (message == null) {
            Optional<int[]> changed = told == 0 ? Optional.empty() : now.changedSince(told);
            if (changed.isEmpty() && told != 0) {
                return since(0, now);
            }
            message = changed.map(maps -> LocationMessages.changed(now, told, maps, addresses))
                    .orElseGet(() -> LocationMessages.all(now, addresses));
            put(written.known, told, message, MESSAGES_MAX);
        }
        return Optional.of(message);
    }

    /** The eldest gives way. */
    private static <K, V> void put(Map<K, V> map, K key, V value, int most) {
        map.remove(key);
        if (map.size() >= most) {
            map.remove(map.keySet().iterator().next());
        }
        map.put(key, value);
    }

    /** Nobody reads the shuffle any more. */
    void forget(int shuffle) {
        shuffles.remove(shuffle);
    }
}
