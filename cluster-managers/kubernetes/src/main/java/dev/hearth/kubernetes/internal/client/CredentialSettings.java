package dev.hearth.kubernetes.internal.client;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.List;
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

        private final SettingKey<String> caFile;
        private final SettingKey<String> keyFile;
        private final SettingKey<String> certificateFile;
        private final SettingKey<String> token;
        private final SettingKey<String> tokenFile;

        User(String name, String absence, String words) {
            String prefix = PREFIX + name;
            caFile = file(
                    prefix + "caCertFile", "certificates that the API server's must be signed with", absence, words);
            keyFile = file(prefix + "clientKeyFile", "client's private key", absence, words);
            certificateFile = file(prefix + "clientCertFile", "client's certificate", absence, words);
            token = SettingKey.secret(prefix + "oauthToken", "Token" + words + " for the API server; prefer a file.");
            tokenFile = file(prefix + "oauthTokenFile", "token, read again for each request", absence, words);
        }

        private static SettingKey<String> file(String name, String content, String absence, String words) {
            return SettingKey.text(name, "", "File with the " + content + (words.isEmpty() ? "" : ";" + words) + ".")
                    .withoutDefault(absence);
        }

        List<SettingKey<?>> keys() {
            return List.of(caFile, keyFile, certificateFile, token, tokenFile);
        }
    }

    /** The declared settings. */
    static List<SettingKey<?>> allKeys() {
        List<SettingKey<?>> keys = new ArrayList<>();
        for (User user : User.values()) {
            keys.addAll(user.keys());
        }
        return keys;
    }

    /** Reads the credentials of {@code user}; {@code in} records the problems. */
    public static CredentialSettings read(SettingsReader in, User user) {
        CredentialSettings read = new CredentialSettings(
                given(in, user.caFile),
                given(in, user.keyFile),
                given(in, user.certificateFile),
                given(in, user.token),
                given(in, user.tokenFile));
        in.expect(
                read.token.isEmpty() || read.tokenFile.isEmpty(),
                user.tokenFile,
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
