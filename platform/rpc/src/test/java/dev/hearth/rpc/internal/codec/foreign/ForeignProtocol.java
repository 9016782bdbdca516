package dev.hearth.rpc.internal.codec.foreign;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A protocol of another package and, in the test, of another class loader, as with bundles. Instantiated by reflection.
 */
public final class ForeignProtocol {
    private ForeignProtocol() {}

    record Launch(Template template, List<Task> tasks, Map<String, Task> named) {}

    record Task(
            long task, int partition, boolean local, double weight, Optional<Bytes> input, Kind kind, Smalls smalls) {}

    record Smalls(byte tiny, short small, float single, char letter) {}

    private record Template(long high, long low) {}

    enum Kind {
        FIRST,
        SECOND
    }

    public static Protocol protocol() {
        return Protocol.named("foreign", MethodHandles.lookup())
                .message(1, Launch.class)
                .build();
    }

    public static Record sample() {
        Smalls smalls = new Smalls((byte) 1, (short) -300, 0.25f, 'x');
        Task task = new Task(1L << 40, -1, true, 0.5, Optional.of(Bytes.owning(new byte[] {1})), Kind.SECOND, smalls);
        return new Launch(new Template(1, -1), List.of(task, task, task), Map.of("", task));
    }
}
