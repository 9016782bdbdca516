package dev.hearth.yarn.internal.settings;

import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Identity of an application at a cluster that authenticates by Kerberos, and its delegation tokens. Immutable. */
public record KerberosSettings(
        HadoopIdentity identity,
        List<String> fileSystems,
        List<String> notRenewed,
        boolean fetchesFileTokens,
        RenewalSettings renewal) {
    public static final SettingKey<List<String>> FILE_SYSTEMS = SettingKey.list(
            "hearth.kerberos.access.hadoopFileSystems",
            List.of(),
            "File systems, such as hdfs://host:port, for which the application gets tokens, in addition to those that its"
                    + " files name.");
    private static final SettingKey<List<String>> NOT_RENEWED = SettingKey.list(
            YarnKeys.PREFIX + "kerberos.renewal.excludeHadoopFileSystems",
            List.of(),
            "File systems whose tokens the ResourceManager must not renew.");
    /** Settings that begin like the family of services. */
    private static final Set<String> OTHERS = Set.of("renewalRatio", "retryWait");

    private static final SettingKey<String> PROVIDERS = SettingKey.family(
            "hearth.security.credentials.*",
            "Whether tokens of the service that the key names are fetched: `.enabled` after its name, such as"
                    + " hadoopfs.enabled.",
            "a service and `.enabled`, and true or false",
            (name, value) -> OTHERS.contains(name)
                    || (name.endsWith(".enabled") && (value.equals("true") || value.equals("false"))));

    public static final List<SettingKey<?>> KEYS = Stream.concat(
                    Stream.of(FILE_SYSTEMS, NOT_RENEWED, PROVIDERS), RenewalSettings.KEYS.stream())
            .toList();

    public KerberosSettings {
        fileSystems = List.copyOf(fileSystems);
        notRenewed = List.copyOf(notRenewed);
    }

    /** Reads the settings; {@code in} records the problems. */
    public static KerberosSettings read(SettingsReader in) {
        return new KerberosSettings(
                HadoopIdentity.read(in),
                in.read(FILE_SYSTEMS),
                in.read(NOT_RENEWED),
                !"false".equals(in.readAll(PROVIDERS).get("hadoopfs.enabled")),
                RenewalSettings.read(in));
    }
}
