package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.protocol.LocationMessages;
import dev.hearth.spi.id.ExecutorId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Cache of serialised map-output locations. An update, which is the differences since an epoch or the full table, is
 * serialised once for all executors that know the same epoch. The cache is bounded: an update that was evicted is
 * serialised again. Owned by the driver's event loop.
 */
public final class MapOutputUpdates {
    private static final int SHUFFLES_MAX = 16;
    private static final int MESSAGES_MAX = 64; // bound on the updates of one shuffle in one epoch

    private final Function<ExecutorId, String> addresses;
    private final Map<Integer, Messages> shuffles = new LinkedHashMap<>();

    /**
     * The serialised location updates of one shuffle, all of which lead to the epoch {@code epoch}. The key of {@code
     * byKnown} is the epoch that the receiver knows, or 0 if it knows none.
     */
    private record Messages(long epoch, Map<Long, UpdateLocations> byKnown) {}

    /** Creates a cache without updates. {@code addresses} returns the address of an executor's block server. */
    public MapOutputUpdates(Function<ExecutorId, String> addresses) {
        this.addresses = addresses;
    }

    /**
     * The update by which an executor gets the map-output locations {@code now} of a shuffle. {@code known} is the
     * epoch of the locations that the executor has, or 0 if it has none. The update contains the changes since that
     * epoch, or all locations if these changes are not recorded. Empty if the executor is up to date.
     */
    public Optional<UpdateLocations> since(long known, MapOutputLocations now) {
        if (known == now.epoch()) {
            return Optional.empty();
        }
        Messages messages = shuffles.get(now.shuffle());
        if (messages == null || messages.epoch != now.epoch()) {
            messages = new Messages(now.epoch(), new LinkedHashMap<>());
            put(shuffles, now.shuffle(), messages, SHUFFLES_MAX);
        }
        UpdateLocations message = messages.byKnown.get(known);
        if (message == null) {
            Optional<int[]> changed = known == 0 ? Optional.empty() : now.changedSince(known);
            if (changed.isEmpty() && known != 0) {
                return since(0, now);
            }
            message = changed.map(maps -> LocationMessages.changed(now, known, maps, addresses))
                    .orElseGet(() -> LocationMessages.all(now, addresses));
            put(messages.byKnown, known, message, MESSAGES_MAX);
        }
        return Optional.of(message);
    }

    /**
     * Adds an entry to {@code map} as the newest. Evicts the oldest entry first if the map already has {@code most}
     * entries.
     */
    private static <K, V> void put(Map<K, V> map, K key, V value, int most) {
        map.remove(key);
        if (map.size() >= most) {
            map.remove(map.keySet().iterator().next());
        }
        map.put(key, value);
    }

    /** Drops the serialised location updates of a shuffle that no dataset refers to any more. */
    public void forget(int shuffle) {
        shuffles.remove(shuffle);
    }
}
