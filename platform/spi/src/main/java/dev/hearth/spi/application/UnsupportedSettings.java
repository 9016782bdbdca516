package dev.hearth.spi.application;

import dev.hearth.spi.settings.SettingKey;
import java.util.List;

/**
 * Settings of Spark that would protect or change an application and that Hearth does not support. Every value but that of
 * Spark's default is refused, because an application that relies on the setting must not run without its effect.
 */
public final class UnsupportedSettings {
    private static final String UNSUPPORTED =
            "Spark's setting for %s, which Hearth does not support; setting it is refused.";

    public static final List<SettingKey<?>> KEYS = List.of(
            off(
                    "hearth.acls.enable",
                    "access control by users and groups",
                    "pages and commands are not separated by user; protect them with hearth.rest.token"),
            off(
                    "hearth.security.oidc.enabled",
                    "tokens of OpenID Connect",
                    "no token is fetched; authenticate with hearth.authenticate"),
            off(
                    "hearth.driver.log.persistToDfs.enabled",
                    "copies of the driver's log on a distributed file system",
                    "logs are not copied; set hearth.log.file"),
            none(
                    "hearth.plugins",
                    "plug-ins of drivers and executors",
                    "no plug-in is loaded; use a bundle in deploy/"),
            none(
                    "hearth.ui.filters",
                    "filters of HTTP requests",
                    "no filter is loaded; protect pages with hearth.rest.token"),
            none(
                    "hearth.redaction.regex",
                    "keys whose values are hidden",
                    "settings that look like secrets are hidden by their names; use a name with secret, password or token"),
            none(
                    "hearth.submit.pyFiles",
                    "files of Python",
                    "Python is not supported; submit an application in Java, Scala or Kotlin"),
            none(
                    "hearth.authenticate.secret.driver.file",
                    "secrets of drivers alone",
                    "drivers and executors share a secret; set hearth.authenticate.secret.file"),
            none(
                    "hearth.authenticate.secret.executor.file",
                    "secrets of executors alone",
                    "drivers and executors share a secret; set hearth.authenticate.secret.file"),
            only(
                    "hearth.api.mode",
                    "classic",
                    "the API of an application",
                    "classic, because there is no Spark Connect; leave the setting out"));

    private UnsupportedSettings() {}

    private static SettingKey<?> off(String name, String purpose, String instead) {
        return SettingKey.flag(name, false, UNSUPPORTED.formatted(purpose)).obeying("false, as " + instead, on -> !on);
    }

    private static SettingKey<?> none(String name, String purpose, String instead) {
        return SettingKey.text(name, "", UNSUPPORTED.formatted(purpose))
                .obeying("nothing, as " + instead, String::isEmpty);
    }

    private static SettingKey<?> only(String name, String value, String purpose, String rule) {
        return SettingKey.text(name, value, UNSUPPORTED.formatted(purpose)).obeying(rule, value::equalsIgnoreCase);
    }
}
