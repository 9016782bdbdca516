package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/**
 * Servers of ZooKeeper, the directory of a cluster there, the session timeout, and the password of its nodes if the cluster
 * has a secret. Immutable.
 */
record ZooKeeperSettings(String servers, String directory, Duration session, Optional<String> password) {
    private static final String SERVER = "[^,:/\\s]+(:\\d{1,5})?|\\[[0-9a-fA-F:.]+\\](:\\d{1,5})?";
    private static final Pattern SERVERS = Pattern.compile("(" + SERVER + ")(\\s*,\\s*(" + SERVER + "))*");
    private static final Pattern DIRECTORY_FORM = Pattern.compile("(/(?!\\.{1,2}(/|$))[^/\\s]+)+");

    private static final SettingKey<String> URL = SettingKey.text(
                    "hearth.deploy.zookeeper.url",
                    "",
                    "The servers of ZooKeeper for hearth.deploy.recoveryMode=ZOOKEEPER: `host:port`, separated by commas.")
            .obeying(
                    "host:port[,host:port]",
                    text -> SERVERS.matcher(text.strip()).matches())
            .withoutDefault();
    private static final SettingKey<String> DIRECTORY = SettingKey.text(
                    "hearth.deploy.zookeeper.dir",
                    "/hearth",
                    "The directory of a cluster in ZooKeeper; clusters with different directories are independent.")
            .obeying(
                    "a path such as /hearth",
                    text -> DIRECTORY_FORM.matcher(text.strip()).matches());
    private static final SettingKey<Duration> SESSION = SettingKey.durationInMillis(
            "hearth.deploy.zookeeper.sessionTimeout",
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            "Silence after which ZooKeeper gives up the master that leads; another one leads then. Servers may raise or"
                    + " lower it to their own bounds.");
    static final List<SettingKey<?>> KEYS = List.of(URL, DIRECTORY, SESSION);

    static ZooKeeperSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Optional<String> servers = in.find(URL).map(ZooKeeperSettings::withoutBlanks);
        String directory = in.read(DIRECTORY).strip();
        Duration session = in.read(SESSION);
        in.finish();
        Optional<String> password =
                RpcSettings.connecting(settings).security().secret().map(ZooKeeperSettings::password);
        return new ZooKeeperSettings(
                servers.orElseThrow(() -> ErrorCode.BAD_SETTING.failure(
                        URL.name() + ": not set (expected: the servers of ZooKeeper as host:port[,host:port], for"
                                + " hearth.deploy.recoveryMode=ZOOKEEPER)")),
                directory,
                session,
                password);
    }

    private static String withoutBlanks(String text) {
        return text.replaceAll("\\s", "");
    }

    /** Password made of the cluster's secret, which does not reveal the secret: ZooKeeper's protocol sends it in clear. */
    private static String password(Secret secret) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update("hearth.deploy.zookeeper\n".getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest.digest(secret.key()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }

    @Override
    public String toString() {
        return servers + directory + (password.isPresent() ? " with a password" : "");
    }

    /** Declares these settings, so that they can be checked and listed. */
    @Component(service = SettingsGroup.class)
    public static final class Group implements SettingsGroup {
        @Override
        public String owner() {
            return "ha-zookeeper";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return KEYS;
        }
    }
}
