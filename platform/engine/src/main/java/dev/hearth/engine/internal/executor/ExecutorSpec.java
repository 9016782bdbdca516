package dev.hearth.engine.internal.executor;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointUri;
import java.util.Map;

/** What an executor process is told at its start. */
public record ExecutorSpec(ExecutorId executor, String host, int cores, EndpointUri driver) {
    /** The orders of a process in the role {@code executor}; managers that start executors write these keys. */
    public static ExecutorSpec from(Map<String, String> orders) {
        String driver = order(orders, "hearth.executor.driver");
        int cores;
        try {
            cores = Integer.parseInt(order(orders, "hearth.executor.cores"));
        } catch (NumberFormatException failure) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "executor order hearth.executor.cores: '" + orders.get("hearth.executor.cores")
                            + "' (expected: a whole number)",
                    failure);
        }
        return new ExecutorSpec(
                new ExecutorId(order(orders, "hearth.executor.id")),
                orders.getOrDefault("hearth.executor.host", "127.0.0.1"),
                cores,
                EndpointUri.parse(driver)
                        .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("executor order hearth.executor.driver: '"
                                + driver + "' (expected: hearth://endpoint@host:port)")));
    }

    private static String order(Map<String, String> orders, String key) {
        String value = orders.get(key);
        if (value == null || value.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("executor order " + key
                    + ": missing (expected: given by the cluster manager); executors are not started by hand");
        }
        return value;
    }
}
