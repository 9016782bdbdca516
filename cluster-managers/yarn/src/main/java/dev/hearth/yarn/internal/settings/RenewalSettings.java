package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/** When delegation tokens are made again, by whose login, and how often the login is looked at. Immutable. */
public record RenewalSettings(Login login, double ratio, Duration retryWait, Duration reloginPeriod) {
    private static final SettingKey<Login> LOGIN = SettingKey.choice(
            "hearth.kerberos.renewal.credentials",
            Login.class,
            Login.KEYTAB,
            "Login by which a driver makes new delegation tokens: keytab, or ccache, a ticket cache that somebody else keeps"
                    + " fresh.");
    private static final SettingKey<Duration> RELOGIN_PERIOD = SettingKey.duration(
            "hearth.kerberos.relogin.period",
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            "How often a driver looks whether its ticket is to be replaced by a new one.");
    private static final SettingKey<String> RATIO = SettingKey.number(
                    "hearth.security.credentials.renewalRatio",
                    "0.75",
                    "Part of the life of delegation tokens after which the driver makes new ones.")
            .obeying("a number above 0 and below 1", text -> {
                double value = Double.parseDouble(text);
                return value > 0 && value < 1;
            });
    private static final SettingKey<Duration> RETRY_WAIT = SettingKey.duration(
            "hearth.security.credentials.retryWait",
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            "Longest time between attempts to make new delegation tokens. The first retry comes after a minute.");

    static final List<SettingKey<?>> KEYS = List.of(LOGIN, RELOGIN_PERIOD, RATIO, RETRY_WAIT);

    /** Logins that make tokens. */
    public enum Login {
        KEYTAB,
        CCACHE
    }

    /** Reads the settings; {@code in} records the problems. */
    static RenewalSettings read(SettingsReader in) {
        return new RenewalSettings(
                in.read(LOGIN), Double.parseDouble(in.read(RATIO)), in.read(RETRY_WAIT), in.read(RELOGIN_PERIOD));
    }
}
