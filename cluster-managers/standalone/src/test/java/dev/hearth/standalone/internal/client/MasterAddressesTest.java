package dev.hearth.standalone.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.net.RpcAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterAddressesTest {
    @Test
    void readsOneOrMoreMasters() {
        assertEquals(
                List.of(new RpcAddress("a", 1), new RpcAddress("::1", 2)),
                MasterAddresses.parse(MasterUrl.parse("hearth://a:1,[::1]:2")));
        assertEquals(List.of(new RpcAddress("a", 1)), MasterAddresses.parse(MasterUrl.parse("spark://a:1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"hearth", "hearth://a", "hearth://a:b", "hearth://a:0", "hearth://a:1,,b:2", "hearth://a:70000"})
    void rejectsAMalformedListOfAddresses(String url) {
        HearthException failure =
                assertThrows(HearthException.class, () -> new StandaloneManager().validate(MasterUrl.parse(url)));
        assertTrue(String.valueOf(failure.getMessage()).contains("hearth://host:port"), failure.getMessage());
    }
}
