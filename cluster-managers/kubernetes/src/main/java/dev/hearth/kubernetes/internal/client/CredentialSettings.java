package dev.hearth.kubernetes.internal.client;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Credentials of one user of the API server, with the suffixes that Spark has. Each part but the token is the path of a
 * file. Immutable; its text form names no value.
 */
public record CredentialSettings(
        Optional<String> caFile,
        Optional<String> keyFile,
        Optional<String> certificateFile,
        Optional<String> token,
        Optional<String> tokenFile) {
    /** Begin of the settings of credentials. */
    public static final String PREFIX = "hearth.kubernetes.authenticate.";

    /** User of the API server, by the prefix of the settings. */
    public enum User {
        /** The submitter, and a driver in client mode. */
        ANY("", "what the kubeconfig file or the pod's account says", ""),
        /** The submitter in cluster mode. */
        SUBMISSION("submission.", "that of hearth.kubernetes.authenticate.*", " of submitters in cluster mode"),
        /** A driver on the cluster; the files are on the submitter's machine and become part of a secret. */
        DRIVER(
                "driver.",
                "the service account of the driver's pod",
                " of a driver on the cluster, on the submitter's machine"),
        /** A driver on the cluster; the files are in its pod. */
        DRIVER_MOUNTED(
                "driver.mounted.",
                "that of hearth.kubernetes.authenticate.driver.*",
                " of a driver on the cluster, in its pod");

        private final String prefix;
        private final String absence;
        private final String words;

        User(String name, String absence, String words) {
            this.prefix = PREFIX + name;
            this.absence = absence;
            this.words = words;
        }
    }

    /** The settings of one user. */
    private record Keys(
            SettingKey<String> caFile,
            SettingKey<String> keyFile,
            SettingKey<String> certificateFile,
            SettingKey<String> token,
            SettingKey<String> tokenFile) {
        static Keys of(User user) {
            return new Keys(
                    file(user, "caCertFile", "certificates that the API server's must be signed with"),
                    file(user, "clientKeyFile", "client's private key"),
                    file(user, "clientCertFile", "client's certificate"),
                    SettingKey.secret(
                            user.prefix + "oauthToken", "Token" + user.words + " for the API server; prefer a file."),
                    file(user, "oauthTokenFile", "token, read again when it changes"));
        }

        private static SettingKey<String> file(User user, String name, String content) {
            return SettingKey.text(
                            user.prefix + name,
                            "",
                            "File with the " + content + (user.words.isEmpty() ? "" : ";" + user.words) + ".")
                    .withoutDefault(user.absence);
        }

        List<SettingKey<?>> all() {
            return List.of(caFile, keyFile, certificateFile, token, tokenFile);
        }
    }

    private static final Map<User, Keys> KEYS = keys();

    private static Map<User, Keys> keys() {
        Map<User, Keys> keys = new EnumMap<>(User.class);
        for (User user : User.values()) {
            keys.put(user, Keys.of(user));
        }
        return Collections.unmodifiableMap(keys);
    }

    /** The declared settings. */
    static List<SettingKey<?>> allKeys() {
        List<SettingKey<?>> keys = new ArrayList<>();
        KEYS.values().forEach(user -> keys.addAll(user.all()));
        return keys;
    }

    /** Reads the credentials of {@code user}; {@code in} records the problems. */
    public static CredentialSettings read(SettingsReader in, User user) {
        Keys keys = Objects.requireNonNull(KEYS.get(user), user::name);
        CredentialSettings read = new CredentialSettings(
                given(in, keys.caFile),
                given(in, keys.keyFile),
                given(in, keys.certificateFile),
                given(in, keys.token),
                given(in, keys.tokenFile));
        in.expect(
                read.token.isEmpty() || read.tokenFile.isEmpty(),
                keys.tokenFile,
                "either a token or a file with it, not both");
        return read;
    }

    /** These credentials, and those of {@code other} in place of missing ones. */
    public CredentialSettings or(CredentialSettings other) {
        boolean hasToken = token.isPresent() || tokenFile.isPresent();
        return new CredentialSettings(
                caFile.or(other::caFile),
                keyFile.or(other::keyFile),
                certificateFile.or(other::certificateFile),
                hasToken ? token : other.token,
                hasToken ? tokenFile : other.tokenFile);
    }

    private static Optional<String> given(SettingsReader in, SettingKey<String> key) {
        return in.find(key).map(String::strip).filter(text -> !text.isEmpty());
    }

    @Override
    public String toString() {
        return "credentials";
    }
}
