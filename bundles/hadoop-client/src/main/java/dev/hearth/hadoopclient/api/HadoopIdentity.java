package dev.hearth.hadoopclient.api;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;

/**
 * Identity of an application at Hadoop: a principal of Kerberos with its keytab, or a user whom the process impersonates.
 * Without both the application acts as the process does. Immutable.
 */
public record HadoopIdentity(Optional<String> principal, Optional<String> keytab, Optional<String> proxyUser) {
    public static final SettingKey<String> PRINCIPAL = SettingKey.text(
                    "hearth.kerberos.principal",
                    "",
                    "Principal of Kerberos of the application; flag --principal. Needs hearth.kerberos.keytab.")
            .withoutDefault();
    public static final SettingKey<String> KEYTAB = SettingKey.text(
                    "hearth.kerberos.keytab",
                    "",
                    "Local file with the key of hearth.kerberos.principal; flag --keytab. In cluster mode, the driver gets"
                            + " a copy.")
            .withoutDefault();
    public static final SettingKey<String> PROXY_USER = SettingKey.text(
                    "hearth.proxyUser",
                    "",
                    "User as whom the application acts at Hadoop; flag --proxy-user. Hadoop's hadoop.proxyuser.* must"
                            + " allow it.")
            .withoutDefault("the user of the submitting process");

    public static final List<SettingKey<?>> KEYS = List.of(PRINCIPAL, KEYTAB, PROXY_USER);

    /** Identity of a process. */
    public static final HadoopIdentity OF_PROCESS =
            new HadoopIdentity(Optional.empty(), Optional.empty(), Optional.empty());

    /** Reads the settings; {@code in} records the problems. The keytab is a path, whatever its scheme was. */
    public static HadoopIdentity read(SettingsReader in) {
        return new HadoopIdentity(
                unlessBlank(in.find(PRINCIPAL)),
                unlessBlank(in.find(KEYTAB)).map(file -> file.replaceFirst("^(file|local):(//)?", "")),
                unlessBlank(in.find(PROXY_USER)));
    }

    private static Optional<String> unlessBlank(Optional<String> value) {
        return value.map(String::strip).filter(text -> !text.isEmpty());
    }

    /** Whether the application logs in by itself. */
    public boolean hasKeytab() {
        return principal.isPresent() && keytab.isPresent();
    }
}
