package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads rules for submissions from the lines of a bundle's file. */
class SubmissionRuleTableTest {
    private static final List<String> LINES = List.of(
            "# rules of a test",
            "",
            "*\t--name\t-\tNAME\thearth.app.name\tclient,cluster\ttext\tlast\tname of the application",
            "yarn\t--queue\t-q\tNAME\thearth.yarn.queue\tclient,cluster\ttext\tlast\tqueue of the application",
            "yarn\t--urgent\t-\t-\thearth.yarn.urgent\tcluster\tswitch\tlast\tgo first",
            "yarn\trefuse\t--supervise\t-\tYARN restarts drivers by itself",
            "yarn\tfiles\tcluster\tfile,hdfs",
            "yarn\twaits\thearth.yarn.submit.waitAppCompletion",
            "yarn\tprogress\town");

    @Test
    void readsWhatABundleDeclares() {
        SubmissionRuleTable table = parse("test", LINES);
        assertEquals(Set.of("*", "yarn"), table.schemes());
        SubmissionRules yarn = table.rules("yarn");
        FlagRule queue = yarn.flag("--queue").orElseThrow();
        assertEquals(
                new FlagRule(
                        "--queue",
                        "-q",
                        "NAME",
                        "hearth.yarn.queue",
                        EnumSet.allOf(DeployMode.class),
                        FlagRule.Kind.TEXT,
                        FlagRule.Merge.LAST,
                        "queue of the application"),
                queue);
        assertEquals(Optional.of(queue), yarn.flag("-q"));
        assertEquals(Optional.empty(), yarn.flag(""), "flags without an alias have no empty one");
        assertEquals(
                Set.of(DeployMode.CLUSTER), yarn.flag("--urgent").orElseThrow().modes());
        assertEquals(
                "YARN restarts drivers by itself",
                yarn.refusal("--supervise").orElseThrow().words());
        assertEquals(Set.of("file", "hdfs"), yarn.fileSchemes(DeployMode.CLUSTER));
        assertEquals(Set.of("file"), yarn.fileSchemes(DeployMode.CLIENT), "what every manager takes");
        assertEquals("hearth.yarn.submit.waitAppCompletion", yarn.waitSetting());
        assertTrue(yarn.ownProgress());
        assertSame(SubmissionRules.NONE, table.rules("k8s"));
    }

    @Test
    void tellsWhichClustersKnowAFlag() {
        SubmissionRuleTable table = parse("test", LINES);
        assertEquals(Set.of("yarn"), table.schemesOf("--queue"));
        assertEquals(Set.of(), table.schemesOf("--name"), "it is for all clusters");
        assertEquals("--queue", table.anyFlag("-q").orElseThrow().name());
        assertEquals(table.rules("yarn").flag("-q"), table.flag("yarn", "-q"));
        assertEquals(Optional.empty(), table.flag("k8s", "-q"));
        assertEquals(table.rules("yarn").refusal("--supervise"), table.refusal("yarn", "--supervise"));
        assertEquals(Optional.empty(), table.refusal("yarn", "cluster"), "a field of another line");
        assertEquals(Optional.empty(), table.anyFlag("--other"));
    }

    @Test
    void prefersTheRulesOfTheTableThatIsAsked() {
        SubmissionRuleTable installed = parse("installed", LINES);
        SubmissionRuleTable dropped = parse(
                "dropped",
                List.of("yarn\t--pool\t-\tNAME\thearth.yarn.pool\tclient\ttext\tlast\tpool of the application"));
        SubmissionRuleTable both = dropped.and(installed, "dropped");
        assertEquals(Set.of("yarn"), both.schemesOf("--pool"));
        assertEquals(Set.of(), both.schemesOf("--queue"), "rules of a scheme are replaced as a whole");
        assertEquals(1, both.rules(SubmissionRuleTable.GENERAL).flags().size());
    }

    @Test
    void refusesAFlagThatTakesAValueForOneClusterOnly() {
        SubmissionRuleTable one = parse("one", LINES);
        SubmissionRuleTable other = parse(
                "other", List.of("k8s\t--queue\t-\t-\thearth.k8s.queue\tclient\tswitch\tlast\tstand in the queue"));
        HearthException clash = assertThrows(HearthException.class, () -> other.and(one, "other"));
        assertTrue(String.valueOf(clash.getMessage()).startsWith("other: flag --queue: "), clash::getMessage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yarn",
                "yarn\t--queue\t-\tNAME\thearth.yarn.queue\tclient\ttext\tlast",
                "yarn\tqueue\t-\tNAME\thearth.yarn.queue\tclient\ttext\tlast\tmeaning",
                "yarn\t--queue\t--q\tNAME\thearth.yarn.queue\tclient\ttext\tlast\tmeaning",
                "yarn\t--queue\t-\tNAME\tyarn.queue\tclient\ttext\tlast\tmeaning",
                "yarn\t--queue\t-\tNAME\thearth.yarn.queue\tboth\ttext\tlast\tmeaning",
                "yarn\t--queue\t-\tNAME\thearth.yarn.queue\tclient\tswitch\tlast\tmeaning",
                "yarn\t--queue\t-\t-\thearth.yarn.queue\tclient\ttext\tlast\tmeaning",
                "yarn\t--queue\t-\tNAME\thearth.yarn.queue\tclient\ttext\tlast\t-",
                "yarn\trefuse\t--queue\t-\t-",
                "yarn\trefuse\t--queue\tYARN has no queues",
                "yarn\trefuse\tqueue\t-\tno",
                "yarn\tprogress\tnone"
            })
    void refusesMalformedLinesByNumber(String line) {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> parse("flags of a test", List.of("# comment", line)).checked("test"));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("flags of a test line 2: "), failure::getMessage);
    }

    @Test
    void refusesTwoRulesForOneFlagOfACluster() {
        List<String> twice = List.of(
                "yarn\t--queue\t-q\tNAME\thearth.yarn.queue\tclient\ttext\tlast\tmeaning",
                "yarn\t--quick\t-q\tNAME\thearth.yarn.quick\tclient\ttext\tlast\tmeaning");
        assertThrows(HearthException.class, () -> parse("test", twice).checked("test"));
    }

    @Test
    void findsNoRulesInABundleThatShipsNone() {
        assertSame(SubmissionRuleTable.EMPTY, SubmissionRuleTable.of(String.class));
    }

    private static SubmissionRuleTable parse(String origin, List<String> lines) {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        try {
            return SubmissionRuleTable.read(origin, new ByteArrayInputStream(text));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
