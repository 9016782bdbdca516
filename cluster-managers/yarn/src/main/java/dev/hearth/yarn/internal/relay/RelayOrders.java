package dev.hearth.yarn.internal.relay;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.yarn.internal.hadoop.LineSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Launch orders of a relay: its application, the address of its driver, and how long it waits for a driver that is gone.
 * Immutable.
 */
public record RelayOrders(String application, RpcAddress driver, Duration driverTimeout) {
    private static final String PREFIX = "hearth.relay.";
    private static final String APPLICATION = PREFIX + "application";
    private static final String DRIVER = PREFIX + "driver";
    private static final String DRIVER_TIMEOUT = PREFIX + "driverTimeoutMillis";
    private static final String BEAT = PREFIX + "beatMillis";
    private static final String PATIENCE = PREFIX + "patienceMillis";
    private static final String START_THREADS = PREFIX + "startThreads";
    private static final String HISTORY = PREFIX + "history";

    /** These orders, with {@code settings} and those of the relay's line to YARN. */
    public Map<String, String> in(Map<String, String> settings, LineSettings line) {
        Map<String, String> orders = new LinkedHashMap<>(settings);
        orders.put(APPLICATION, application);
        orders.put(DRIVER, driver.toString());
        orders.put(DRIVER_TIMEOUT, String.valueOf(driverTimeout.toMillis()));
        orders.put(BEAT, String.valueOf(line.beat().toMillis()));
        orders.put(PATIENCE, String.valueOf(line.patience().toMillis()));
        orders.put(START_THREADS, String.valueOf(line.startThreads()));
        orders.put(HISTORY, line.history());
        return orders;
    }

    /** Reads the orders of this process; fails with {@code BAD_ARGUMENT}. */
    static RelayOrders from(Map<String, String> orders) {
        return new RelayOrders(
                text(orders, APPLICATION),
                RpcAddress.parse(text(orders, DRIVER)).orElseThrow(() -> malformed(DRIVER, "host:port")),
                Duration.ofMillis(number(orders, DRIVER_TIMEOUT)));
    }

    /** The settings of the line in the orders of this process; fails with {@code BAD_ARGUMENT}. */
    static LineSettings line(Map<String, String> orders) {
        return new LineSettings(
                Duration.ofMillis(number(orders, BEAT)),
                Duration.ofMillis(number(orders, PATIENCE)),
                Math.toIntExact(number(orders, START_THREADS)),
                orders.getOrDefault(HISTORY, ""));
    }

    private static long number(Map<String, String> orders, String key) {
        String text = text(orders, key);
        if (!text.matches("\\d{1,15}")) {
            throw malformed(key, "a whole number");
        }
        return Long.parseLong(text);
    }

    private static String text(Map<String, String> orders, String key) {
        String text = orders.getOrDefault(key, "");
        if (text.isBlank()) {
            throw malformed(key, "a value from the driver");
        }
        return text;
    }

    private static RuntimeException malformed(String key, String rule) {
        return ErrorCode.BAD_ARGUMENT.failure(
                "start parameter of the relay, " + key + ": missing or malformed (expected: " + rule + ")");
    }
}
