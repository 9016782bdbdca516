package dev.hearth.itests.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that every module has a README, every package a description, and that no bundle exports internal packages. */
class PagesTest {
    private static final int README_LINES_MAX = 20;

    @Test
    void everyModuleHasAShortReadme() {
        List<String> problems = new ArrayList<>();
        for (Path pom : Repository.poms()) {
            Path module = pom.getParent();
            if (module.equals(Repository.ROOT)) {
                continue; // its page is for users
            }
            Path readme = readme(module);
            if (!Files.isRegularFile(readme)) {
                problems.add(Repository.name(module) + ": no README.md (expected: one, of about ten lines)");
                continue;
            }
            long lines = Repository.text(readme).lines().count();
            if (lines == 0 || lines > README_LINES_MAX) {
                problems.add(Repository.name(readme) + ": " + lines + " lines (expected: 1 to " + README_LINES_MAX
                        + "); essays go to docs/adr");
            }
        }
        Findings.expectNone(problems);
    }

    /** The module's own README, or that of its parent directory if that is no module. */
    private static Path readme(Path module) {
        Path own = module.resolve("README.md");
        Path above = module.resolveSibling("README.md");
        boolean alone = !Files.isRegularFile(module.resolveSibling("pom.xml"));
        return !Files.isRegularFile(own) && alone ? above : own;
    }

    @Test
    void everyPackageOfProductionCodeHasAPackageInfo() {
        List<String> problems = new ArrayList<>();
        for (Path directory : Repository.mainPackages()) {
            Path info = directory.resolve("package-info.java");
            if (!Files.isRegularFile(info)) {
                problems.add(Repository.name(directory) + ": no package-info.java (expected: one line of Javadoc)");
            } else if (!Repository.text(info).contains("/**")) {
                problems.add(Repository.name(info) + ": no Javadoc (expected: one line)");
            }
        }
        Findings.expectNone(problems);
    }

    @Test
    void noManagerAndNoInternalPackageIsExported() {
        List<String> problems = new ArrayList<>();
        for (Path directory : Repository.mainPackages()) {
            String name = Repository.name(directory);
            Path info = directory.resolve("package-info.java");
            boolean closed = name.startsWith("cluster-managers/") || (name + "/").contains("/internal/");
            if (closed && Files.isRegularFile(info) && Repository.text(info).contains("@Export")) {
                problems.add(Repository.name(info) + ": @Export (expected: neither a manager nor an internal package"
                        + " exports anything)");
            }
        }
        Findings.expectNone(problems);
    }
}
