package dev.hearth.kernel.internal.rules;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
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
            warn(file, "left out", failure);
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
                warn(jar, "left out", failure);
            }
        }
        return rules;
    }

    private SortedSet<Path> jars(Path directory) {
        SortedSet<Path> jars = new TreeSet<>();
        if (!Files.isDirectory(directory)) {
            return jars;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
            files.forEach(jars::add);
        } catch (IOException failure) {
            warn(directory, "cannot be listed", failure);
        }
        return jars;
    }

    private void warn(Path file, String consequence, Exception failure) {
        warning.accept("rules for submissions: " + file + ": " + consequence + ": " + failure.getMessage());
    }
}
