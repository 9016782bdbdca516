package dev.hearth.hazookeeper.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options with which users of Spark ask for TLS and SASL to ZooKeeper. */
class PlainConnectionTest {
    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "zookeeper.client.secure, true",
        "zookeeper.sasl.client, true",
        "zookeeper.sasl.clientconfig, Client",
        "zookeeper.clientCnxnSocket, org.apache.zookeeper.ClientCnxnSocketNetty",
        "zookeeper.ssl.trustStore.location, /etc/zk.jks"
    })
    void refusesWhatItCannotEncrypt(String name, String value) {
        HearthException refusal = assertThrows(HearthException.class, () -> PlainConnection.require(with(name, value)));
        assertEquals("BAD_SETTING", refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("system property " + name + ": set (expected: "));
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({"zookeeper.client.secure, false", "zookeeper.sasl.client, false", "java.version, 17"})
    void takesTheRest(String name, String value) {
        assertDoesNotThrow(() -> PlainConnection.require(with(name, value)));
    }

    private static Properties with(String name, String value) {
        Properties properties = new Properties();
        properties.setProperty(name, value);
        return properties;
    }
}
