package dev.hearth.yarn.internal.manager;

import dev.hearth.api.HearthException;
import dev.hearth.hadoopclient.api.HadoopIdentity;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.settings.AclSettings;
import dev.hearth.yarn.internal.settings.AmSettings;
import dev.hearth.yarn.internal.settings.KerberosSettings;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.settings.ReportSettings;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.settings.YarnAllocationSettings;
import dev.hearth.yarn.internal.settings.YarnKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Checks of the settings of an application before it starts. Reads no file itself; {@code isFile} says what is one. */
final class YarnSettingCheck {
    private static final String AUTHENTICATE = "hearth.authenticate";

    private YarnSettingCheck() {}

    /** Lines for the log about settings of {@code given} that have another name, or no effect. */
    static List<String> hints(Settings given) {
        List<String> hints = new ArrayList<>(YarnFormerSettings.hints(given));
        for (String key : given.keys()) {
            if (key.startsWith(YarnKeys.PREFIX)
                    && YarnFormerSettings.successor(key).isEmpty()) {
                YarnRefusals.withoutEffect(key.substring(YarnKeys.PREFIX.length()))
                        .ifPresent(why -> hints.add(key + ": has no effect: " + why));
            }
        }
        return hints;
    }

    /** Fails with {@code BAD_SETTING}, naming each problem of the settings {@code given}. */
    static void check(Settings given, DeployMode mode, Predicate<String> isFile) {
        Settings settings = YarnFormerSettings.resolved(given);
        List<String> problems = new ArrayList<>(ResourceRules.problems(settings));
        for (String key : settings.keys()) {
            if (key.startsWith(YarnKeys.PREFIX) && !YarnSettings.isDeclared(key)) {
                String rest = key.substring(YarnKeys.PREFIX.length());
                if (YarnRefusals.withoutEffect(rest).isEmpty()) {
                    problems.add(key + ": is not supported (expected: one of the settings in docs/configuration.md); "
                            + YarnRefusals.refused(rest).orElse("remove it"));
                }
            }
        }
        if (isSet(settings, AUTHENTICATE, "false")) {
            problems.add(AUTHENTICATE + ": false is not supported on YARN (expected: true, the default there)");
        }
        SettingsReader in = new SettingsReader(settings);
        KerberosSettings kerberos = KerberosSettings.read(in);
        problems.addAll(identityProblems(kerberos.identity(), isFile));
        if (mode == DeployMode.CLUSTER && isSet(settings, AmSettings.UNMANAGED.name(), "true")) {
            problems.add(AmSettings.UNMANAGED + ": true in cluster mode (expected: --deploy-mode client)");
        }
        AclSettings.read(in);
        AmSettings.read(in);
        List.of(AmSettings.AM_AMOUNTS, AmSettings.DRIVER_AMOUNTS, YarnAllocationSettings.EXECUTOR_AMOUNTS)
                .forEach(in::readAll);
        QueueSettings.read(in);
        StagingSettings.read(in);
        ReportSettings.read(in);
        YarnAllocationSettings allocation = YarnAllocationSettings.read(in);
        if (!allocation.constraint().isEmpty() && !allocation.nodeLabel().isEmpty()) {
            problems.add(YarnAllocationSettings.CONSTRAINT.name()
                    + ": is set beside hearth.yarn.executor.nodeLabelExpression (expected: one of both)");
        }
        ContainerSize.ofExecutor(in);
        ContainerSize.ofDriver(in);
        finish(in, problems);
    }

    private static List<String> identityProblems(HadoopIdentity identity, Predicate<String> isFile) {
        List<String> problems = new ArrayList<>();
        if (identity.principal().isPresent() != identity.keytab().isPresent()) {
            problems.add("Both principal and keytab must be defined, or neither.");
        }
        if (identity.proxyUser().isPresent() && identity.principal().isPresent()) {
            problems.add("Only one of --proxy-user or --principal can be provided.");
        }
        identity.keytab().ifPresent(keytab -> {
            if (keytab.contains(":/")) {
                problems.add("Keytab should reference a local file.");
            } else if (!isFile.test(keytab)) {
                problems.add("Keytab file: " + keytab + " does not exist");
            }
        });
        return problems;
    }

    private static void finish(SettingsReader in, List<String> problems) {
        try {
            in.finish();
        } catch (HearthException invalid) {
            problems.add(String.valueOf(invalid.getMessage()));
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(String.join("\n", problems));
        }
    }

    private static boolean isSet(Settings settings, String key, String value) {
        return settings.find(key).filter(value::equalsIgnoreCase).isPresent();
    }
}
