package dev.hearth.kernel.internal.rules;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads the submission rules of an installation: {@code lib/flags.tsv}, which the build has merged from the bundles, and
 * the files of jars in {@code bundles} and {@code deploy}. Either directory may be missing. {@code warning} receives a line
 * for each file that is left out. Immutable.
 */
public record RuleFiles(Path lib, Path bundles, Path deploy, Consumer<String> warning) implements InstalledRules {
    /** Name of the merged file in {@code lib}. */
    public static final String MERGED = "flags.tsv";

    @Override
    public SubmissionRuleTable rules() {
        return withJars(merged(), deploy);
    }

    @Override
    public SubmissionRuleTable allRules() {
        return withJars(withJars(merged(), bundles), deploy);
    }

    private SubmissionRuleTable merged() {
        Path file = lib.resolve(MERGED);
        if (!Files.exists(file)) { // in an installation that was put together by hand
            return SubmissionRuleTable.EMPTY;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return SubmissionRuleTable.read("lib/" + MERGED, in);
        } catch (IOException | HearthException failure) {
            warn(file, failure);
            return SubmissionRuleTable.EMPTY;
        }
    }

    private SubmissionRuleTable withJars(SubmissionRuleTable known, Path directory) {
        SubmissionRuleTable rules = known;
        for (Path jar : jars(directory)) {
            try (ZipFile file = new ZipFile(jar.toFile())) {
                ZipEntry entry = file.getEntry(SubmissionRuleTable.FILE);
                if (entry != null) {
                    try (InputStream in = file.getInputStream(entry)) {
                        rules = SubmissionRuleTable.read(SubmissionRuleTable.FILE, in)
                                .and(rules, SubmissionRuleTable.FILE);
                    }
                }
            } catch (IOException | HearthException failure) {
                warn(jar, failure);
            }
        }
        return rules;
    }

    /** Lists by {@code File}, which costs a start a tenth of what a stream of paths costs. */
    private static List<Path> jars(Path directory) {
        String[] names = directory.toFile().list();
        if (names == null) { // there is no such directory
            return List.of();
        }
        Arrays.sort(names);
        List<Path> jars = new ArrayList<>();
        for (String name : names) {
            if (name.endsWith(".jar")) {
                jars.add(directory.resolve(name));
            }
        }
        return jars;
    }

    private void warn(Path file, Exception failure) {
        warning.accept("rules for submissions: " + file + ": left out: " + failure.getMessage());
    }
}
