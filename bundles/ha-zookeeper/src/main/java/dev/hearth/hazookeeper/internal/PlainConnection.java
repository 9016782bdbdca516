package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;

/**
 * Check that nobody expects TLS or SASL for the connection to ZooKeeper. Spark's masters take these from system properties of
 * ZooKeeper's client; this client has neither, and must not send in clear what was to be encrypted. Stateless.
 */
final class PlainConnection {
    private static final List<String> TURNED_ON = List.of("zookeeper.client.secure", "zookeeper.sasl.client");
    private static final List<String> NAMED = List.of("zookeeper.clientCnxnSocket", "zookeeper.sasl.clientconfig");
    private static final String TLS = "zookeeper.ssl.";

    private PlainConnection() {}

    /** Fails with {@code BAD_SETTING} if {@code properties}, those of this process, ask for TLS or SASL. */
    static void require(Properties properties) {
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            boolean isOn = TURNED_ON.contains(name)
                    && Boolean.parseBoolean(properties.getProperty(name).strip());
            if (isOn || NAMED.contains(name) || name.startsWith(TLS)) {
                throw ErrorCode.BAD_SETTING.failure("system property " + name
                        + ": set (expected: neither TLS nor SASL for the connection to ZooKeeper, which Hearth does not"
                        + " support); remove it and the other ones of zookeeper.* from the Java options of the master, and let"
                        + " masters reach ZooKeeper over a network of their own, or through a TLS tunnel on each host");
            }
        }
    }
}
