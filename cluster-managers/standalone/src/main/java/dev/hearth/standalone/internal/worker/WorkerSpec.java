package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Configuration of a worker: id, address, offered resources, work directory, and addresses of masters. Immutable. */
public record WorkerSpec(
        String id, RpcAddress address, int cores, int memoryMebibytes, Path directory, List<RpcAddress> masters) {
    static final Duration RETRY_FIRST = Duration.ofMillis(200);
    static final Duration RETRY_MAX = Duration.ofSeconds(10);

    public WorkerSpec {
        masters = List.copyOf(masters);
    }
}
