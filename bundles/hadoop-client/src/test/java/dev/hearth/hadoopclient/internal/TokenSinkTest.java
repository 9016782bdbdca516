package dev.hearth.hadoopclient.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.net.Bytes;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Tokens that a driver sends reach the login of the process. */
class TokenSinkTest {
    private static final String FILE = "4844545300" + "01" + "03737663" + "0109" + "0108" + "044b494e44"
            + "06686f73743a31" + "01" + "06686561727468" + "03010203";

    @Test
    void readsWhatHadoopWrites() throws Exception {
        TokenSink sink = new TokenSink(new TestingRuntime(Map.of()), new ReceivedTokens());
        byte[] file = HexFormat.of().parseHex(FILE);
        sink.accept(TokenSink.KIND, Bytes.owning(file));
        Text name = new Text("hearth");
        Eventually.until("the secret is there", () -> credentials().getSecretKey(name) != null, Duration.ofSeconds(20));
        assertEquals(3, credentials().getSecretKey(name).length);
        assertEquals(1, credentials().numberOfTokens());
        sink.stop();
    }

    private static Credentials credentials() throws IOException {
        return UserGroupInformation.getLoginUser().getCredentials();
    }
}
