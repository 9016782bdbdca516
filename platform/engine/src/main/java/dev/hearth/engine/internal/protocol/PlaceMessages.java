package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.dag.MapPlaces;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefinePlaces;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.function.Function;

/** Places of map outputs as they travel to executors, and back into numbers there: a byte or two for each. No state of its own. */
public final class PlaceMessages {
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private PlaceMessages() {}

    /** {@code addresses} tells where an executor serves what it has, empty when nobody can reach it. */
    public static DefinePlaces message(MapPlaces places, Function<ExecutorId, String> addresses) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(places.maps());
        places.eachHolder(holder -> write(holder + 1, packed));
        return new DefinePlaces(
                places.shuffle(),
                places.maps(),
                places.holders().stream()
                        .map(held -> new Holder(held.executor(), held.host(), addresses.apply(held.executor())))
                        .toList(),
                Bytes.owning(packed.toByteArray()));
    }

    private static void write(int number, ByteArrayOutputStream packed) {
        int left = number;
        while (left >= MORE) {
            packed.write(left | MORE);
            left >>>= BITS;
        }
        packed.write(left);
    }

    /** For each map task the place of its holder, or {@link MapPlaces#NOWHERE}. */
    public static int[] holderOf(DefinePlaces message) {
        int[] holders = new int[message.maps()];
        message.holderOf().read(bytes -> read(bytes, holders));
        return holders;
    }

    private static void read(byte[] bytes, int[] holders) {
        int at = 0;
        for (int map = 0; map < holders.length; map++) {
            int number = 0;
            int shift = 0;
            while (bytes[at] < 0) {
                number |= (bytes[at++] & (MORE - 1)) << shift;
                shift += BITS;
            }
            holders[map] = (number | bytes[at++] << shift) - 1;
        }
    }
}
