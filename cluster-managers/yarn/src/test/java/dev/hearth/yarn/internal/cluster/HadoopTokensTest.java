package dev.hearth.yarn.internal.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.security.client.RMDelegationTokenIdentifier;
import org.junit.jupiter.api.Test;

/** For which file systems tokens are made, and whether any are. */
class HadoopTokensTest {
    private static KerberosSettings settings(Map<String, String> values) {
        SettingsReader in = new SettingsReader(Settings.empty().with("test", values));
        KerberosSettings read = KerberosSettings.read(in);
        in.finish();
        return read;
    }

    private static Configuration cluster(String authentication) {
        Configuration configuration = new Configuration(false);
        configuration.set("fs.defaultFS", "hdfs://default:8020");
        configuration.set("hadoop.security.authentication", authentication);
        return configuration;
    }

    @Test
    void namesTheDefaultAndTheStagingFileSystemAndThoseOfTheSettings() {
        HadoopTokens tokens = tokens(Map.of());
        assertEquals(Set.of(URI.create("hdfs://default:8020"), URI.create("hdfs://staging:8021")), tokens.systems());
        HadoopTokens more = tokens(Map.of("spark.kerberos.access.hadoopFileSystems", "hdfs://a:1,webhdfs://b:2"));
        assertEquals(4, more.systems().size());
        assertTrue(more.systems().contains(URI.create("webhdfs://b:2")));
    }

    private static HadoopTokens tokens(Map<String, String> values) {
        return new HadoopTokens(
                new PlainRuntime(),
                UserGroupInformation.createRemoteUser("alice"),
                cluster("kerberos"),
                settings(values),
                List.of(URI.create("hdfs://staging:8021")),
                Ticker.system());
    }

    @Test
    void areNeededByClustersWithKerberosUnlessASettingSaysNo() {
        assertTrue(HadoopTokens.areNeeded(settings(Map.of()), cluster("kerberos")));
        assertTrue(HadoopTokens.areNeeded(settings(Map.of()), cluster("KERBEROS")));
        assertFalse(HadoopTokens.areNeeded(settings(Map.of()), cluster("simple")));
        assertFalse(HadoopTokens.areNeeded(
                settings(Map.of("spark.security.credentials.hadoopfs.enabled", "false")), cluster("kerberos")));
    }

    @Test
    void fileWithoutTokensNeverEnds() throws Exception {
        assertEquals(
                Optional.empty(), HadoopTokens.read(Bytes.EMPTY, Instant.EPOCH).valid());
    }

    @Test
    void fileIsValidUntilTheFirstOfItsTokensEnds() throws Exception {
        Instant now = Instant.parse("2026-11-20T12:00:00Z");
        Credentials credentials = new Credentials();
        for (int hours : new int[] {7, 3, 5}) {
            RMDelegationTokenIdentifier identifier =
                    new RMDelegationTokenIdentifier(new Text("alice"), new Text("yarn"), new Text(""));
            identifier.setMaxDate(now.plus(Duration.ofHours(hours)).toEpochMilli());
            Token<RMDelegationTokenIdentifier> token =
                    new Token<>(identifier.getBytes(), new byte[0], identifier.getKind(), new Text("service" + hours));
            credentials.addToken(token.getService(), token);
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        credentials.writeTokenStorageToStream(new DataOutputStream(file));
        assertEquals(
                Optional.of(Duration.ofHours(3)),
                HadoopTokens.read(Bytes.owning(file.toByteArray()), now).valid());
    }
}
