package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.deploy.DeploySettings;
import dev.hearth.kernel.internal.rules.RuleFiles;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.cluster.SubmissionRules.Refusal;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Flags of all submission rules of an installation, for the scripts in bin/. Finds deploy/ as a process does, from the
 * defaults of the installation and the environment. Stateless.
 */
public final class InstallationFlags {
    private static final String NOTHING = "-";

    private InstallationFlags() {}

    /** Returns a line for each flag, in the form of lib/flags.tsv but without what only Java reads. */
    public static List<String> lines(Home home, Map<String, String> environment) {
        Settings settings = new SettingsSources(Path.of(""), environment)
                .environment()
                .defaults(home.defaultSettings(), home.label(home.defaultSettings()))
                .over(Settings.empty());
        Path deploy = DeploySettings.from(settings).directory(home.root());
        SubmissionRuleTable table = new RuleFiles(home.lib(), home.bundles(), deploy, line -> {}).allRules();
        List<String> lines = new ArrayList<>();
        for (String scheme : table.schemes()) {
            for (FlagRule flag : table.rules(scheme).flags()) {
                lines.add(line(scheme, flag.name(), flag.alias(), flag.value(), flag.setting()));
            }
            for (Refusal refusal : table.rules(scheme).refusals()) {
                lines.add(line(scheme, "refuse", refusal.flag(), refusal.value(), refusal.words()));
            }
        }
        return lines;
    }

    private static String line(String... fields) {
        List<String> texts = new ArrayList<>();
        for (String field : fields) {
            texts.add(field.isEmpty() ? NOTHING : field);
        }
        return String.join("\t", texts);
    }
}
