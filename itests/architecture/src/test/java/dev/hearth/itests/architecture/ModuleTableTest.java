package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the table of modules and the tree agree, so that the rules cover every module. */
class ModuleTableTest {
    private static final String SOURCES = "/src/main/java/";
    /** Package with the class of Hadoop that the bundle with Hadoop replaces (ADR 0072). */
    private static final String REPLACED = "bundles/hadoop-client/src/main/java/org/apache/hadoop/util/";

    @Test
    void everyModuleWithProductionCodeHasItsLine() {
        List<String> known = Stream.concat(
                        Arrays.stream(ProjectModule.values()).map(ProjectModule::directory),
                        Arrays.stream(EngineLayer.values()).map(EngineLayer::directory))
                .toList();
        List<String> unknown = Repository.modulesWithMainSources().stream()
                .filter(module -> !known.contains(module))
                .map(module -> module + ": not in the table of modules (expected: one line); add it to ProjectModule,"
                        + " or to EngineLayer if it is a part of the engine")
                .toList();
        Findings.expectNone(unknown);
        assertTrue(Repository.modulesWithMainSources().size() > 1, "the tree was not found");
    }

    @Test
    void everySourceOfAModuleIsInItsPackage() {
        List<String> strays = new ArrayList<>();
        for (ProjectModule module : ProjectModule.values()) {
            String own = module.root().replace('.', '/') + "/";
            mainSources(module.directory() + "/")
                    .filter(name -> !name.substring(name.indexOf(SOURCES) + SOURCES.length())
                            .startsWith(own))
                    .filter(name -> !name.startsWith(REPLACED))
                    .forEach(name -> strays.add(
                            name + ": outside " + module.root() + " (expected: each module in a package of its own)"));
        }
        Findings.expectNone(strays);
    }

    @Test
    void everySourceOfTheEngineIsInThePackagesOfItsLayer() {
        List<String> strays = new ArrayList<>();
        for (EngineLayer layer : EngineLayer.values()) {
            List<String> own = layer.sources().toList();
            mainSources(layer.directory() + "/")
                    .filter(name -> own.stream().noneMatch(name::startsWith))
                    .forEach(name -> strays.add(name + ": outside the packages of " + layer
                            + " (expected: those in EngineLayer); name its package there, or move it"));
        }
        Findings.expectNone(strays);
    }

    private static Stream<String> mainSources(String directory) {
        return Repository.javaFiles().stream()
                .map(Repository::name)
                .filter(name -> name.startsWith(directory) && name.contains(SOURCES));
    }

    @Test
    void noPackageBelongsToTwoModules() {
        for (ProjectModule module : ProjectModule.values()) {
            List<ProjectModule> owners = Arrays.stream(ProjectModule.values())
                    .filter(other -> (module.root() + ".").startsWith(other.root() + "."))
                    .toList();
            assertEquals(List.of(module), owners, () -> "package " + module.root());
        }
    }
}
