package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.kernel.Deployer.State;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions of the state machine, with a simulated directory and framework, on virtual time. */
class DeploymentTest {
    private final SimulatedHost host = new SimulatedHost(List.of(new BundleJar("platform-7", "local", version("1.0"))));

    @Test
    void runsANewFileOnceTwoLooksAgree() {
        host.put("a.jar", "A1", "a", "1.0");
        host.scan();
        assertEquals(List.of("local 1.0.0"), host.running());
        assertEquals(State.SETTLING, host.state("a.jar"));
        host.scan();
        assertEquals(List.of("local 1.0.0", "a 1.0.0"), host.running());
        assertEquals(State.RUNNING, host.state("a.jar"));
    }

    @Test
    void readsWhatLiesThereSinceLongAtTheFirstLook() {
        host.put("a.jar", "A1", "a", "1.0");
        host.age("a.jar", Duration.ofSeconds(5));
        assertFalse(host.deployment.isSettled());
        host.scan();
        assertTrue(host.deployment.isSettled());
        assertEquals(State.RUNNING, host.state("a.jar"));
    }

    @Test
    void takesASecondLookAtAFileThatComesLaterHoweverOldItIs() {
        host.scan();
        host.put("a.jar", "A1", "a", "1.0");
        host.age("a.jar", Duration.ofHours(1)); // a copy that keeps the time of its original
        host.scan();
        assertEquals(State.SETTLING, host.state("a.jar"));
        assertTrue(host.deployment.isSettled(), "what comes after the start delays nothing");
        host.scan();
        assertEquals(State.RUNNING, host.state("a.jar"));
    }

    @Test
    void refusesAnOldFileThatIsNoBundleAtTheFirstLook() {
        host.put("a.jar", "half", "", "");
        host.age("a.jar", Duration.ofSeconds(5));
        host.scan();
        assertEquals(State.REFUSED, host.state("a.jar"));
        assertTrue(host.deployment.isSettled());
    }

    @Test
    void forgetsAFileThatIsRemovedBeforeItSettled() {
        host.put("a.jar", "half", "", "");
        host.scan();
        host.remove("a.jar");
        assertEquals(List.of(), host.deployment.deployed());
    }

    @Test
    void waitsWhileAFileIsWrittenAndSaysOnceThatItNeverBecameWhole() {
        host.put("a.jar", "half", "", "");
        for (int i = 0; i < 4; i++) {
            host.scan();
            host.touch("a.jar");
        }
        assertEquals(List.of(), host.told);
        for (int i = 0; i < 40; i++) {
            host.scan();
        }
        assertEquals(List.of("a.jar: no complete jar"), host.told);
        assertEquals(State.REFUSED, host.state("a.jar"));
        host.put("a.jar", "A1", "a", "1.0");
        host.scan();
        host.scan();
        assertEquals(State.RUNNING, host.state("a.jar"));
    }

    @Test
    void waitsForAFileAsLongAsItGrows() {
        host.put("a.jar", "half", "", "");
        host.age("a.jar", Duration.ofSeconds(5));
        host.scan();
        assertEquals(1, host.told.size(), "an old file is no longer written");
        for (int i = 0; i < 20; i++) { // five seconds, more than an unchanged file gets
            host.touch("a.jar");
            host.scan();
            host.scan();
            assertEquals(State.SETTLING, host.state("a.jar"));
        }
        assertEquals(1, host.told.size(), host.told::toString);
    }

    @Test
    void replacesByTheHigherVersionAndDrainsTheOld() {
        host.drop("a-1.jar", "A1", "a", "1.0");
        host.use("A1", "application pi");
        host.drop("a-2.jar", "A2", "a", "2.0");
        assertEquals(List.of("local 1.0.0", "a 2.0.0"), host.running());
        Deployed old = host.shown("A1");
        assertEquals(State.DRAINING, old.state());
        assertEquals(List.of("application pi"), old.heldBy());
        assertTrue(
                host.told.contains("a 1.0.0 (a-1.jar) waits up to 600 s before it stops,"
                        + " because it is still used by [application pi]"),
                host.told::toString);
        host.release("A1", "application pi");
        host.tick();
        assertEquals(State.SUPERSEDED, host.shown("A1").state());
        assertEquals(List.of("A2", "platform-7"), host.installedContents());
    }

    @Test
    void startsABundleOnDemandOnceItIsTriggeredAndThenReplacesIt() {
        host.drop("late.jar", "L1", "late", "1.0");
        assertEquals(List.of("local 1.0.0"), host.running());
        assertEquals(State.ON_DEMAND, host.shown("L1").state());
        assertEquals("it waits for late", host.shown("L1").problem());
        assertTrue(host.deployment.isSettled());
        assertEquals(List.of("late 1.0.0 (late.jar) does not start now: it waits for late"), host.told);
        assertFalse(host.trigger("else"));
        assertTrue(host.trigger("late"));
        assertFalse(host.trigger("late"));
        assertEquals(List.of("local 1.0.0", "late 1.0.0"), host.running());
        host.drop("late-2.jar", "L2", "late", "2.0");
        assertEquals(List.of("local 1.0.0", "late 2.0.0"), host.running());
        host.remove("late.jar");
        host.remove("late-2.jar");
        assertEquals(List.of(), host.deployment.deployed());
        host.drop("late.jar", "L1", "late", "1.0");
        assertEquals(State.ON_DEMAND, host.shown("L1").state(), "what is gone waits again");
    }

    @Test
    void saysWhyATriggeredBundleDoesNotStart() {
        host.drop("late.jar", "L1", "late", "1.0");
        host.lacks("L1", "lib");
        host.trigger("late");
        assertFalse(host.deployment.isStarting(List.of("late")));
        assertEquals(
                List.of("bundle late 1.0.0 (late.jar): lacks lib"), host.deployment.problems(List.of("late", "local")));
    }

    @Test
    void neverStartsABundleOfAnotherRole() {
        host.drop("other.jar", "O1", "other", "1.0");
        assertEquals(State.OTHER_ROLE, host.shown("O1").state());
        assertEquals("it is for the roles [master]", host.shown("O1").problem());
        assertEquals(List.of("local 1.0.0"), host.running());
        assertFalse(host.trigger("other"));
        host.remove("other.jar");
        assertEquals(List.of(), host.deployment.deployed());
    }

    @Test
    void takesTheHighestVersionWhateverTheOrderOfComing() {
        host.drop("new.jar", "A2", "a", "2.0");
        host.drop("old.jar", "A1", "a", "1.0");
        assertEquals(List.of("local 1.0.0", "a 2.0.0"), host.running());
        assertEquals(State.SUPERSEDED, host.shown("A1").state());
    }

    @Test
    void takesTheNewestFileAmongEqualVersions() {
        host.drop("b.jar", "A1", "a", "1.0");
        host.drop("a.jar", "A1 again", "a", "1.0");
        assertEquals(State.RUNNING, host.shown("A1 again").state());
        host.drop("c.jar", "A1 older", "a", "1.0", Duration.ofHours(1));
        assertEquals(State.RUNNING, host.shown("A1 again").state());
    }

    @Test
    void countsTheNewestFileOfAContent() {
        host.drop("a.jar", "A1", "a", "1.0", Duration.ofHours(3));
        host.drop("b.jar", "A1 again", "a", "1.0", Duration.ofHours(2));
        assertEquals(State.RUNNING, host.shown("A1 again").state());
        host.drop("c.jar", "A1", "a", "1.0", Duration.ofHours(1));
        assertEquals(State.RUNNING, host.shown("A1").state());
    }

    @Test
    void followsAFileThatIsOverwrittenAlsoByALowerVersion() {
        host.drop("a.jar", "A2", "a", "2.0");
        host.drop("a.jar", "A1", "a", "1.0");
        assertEquals(List.of("local 1.0.0", "a 1.0.0"), host.running());
        host.tick();
        assertEquals(List.of("A1", "platform-7"), host.installedContents());
    }

    @Test
    void comesBackToTheOlderVersionBeforeTheNewerLeaves() {
        host.drop("a-1.jar", "A1", "a", "1.0");
        host.drop("a-2.jar", "A2", "a", "2.0");
        host.use("A2", "application pi");
        host.remove("a-2.jar");
        assertEquals(List.of("local 1.0.0", "a 1.0.0"), host.running());
        assertEquals(State.DRAINING, host.shown("A2").state());
        assertTrue(host.never("no a"), "there was a moment without any");
    }

    @Test
    void doesNotReviveWhatDrains() {
        host.drop("a-1.jar", "A1", "a", "1.0");
        host.use("A1", "application pi");
        host.drop("a-2.jar", "A2", "a", "2.0");
        host.remove("a-2.jar");
        assertEquals(2, host.copiesOf("A1"), "one that drains and one that is new");
        host.release("A1", "application pi");
        host.tick();
        assertEquals(1, host.copiesOf("A1"));
    }

    @Test
    void waitsForTheReplacementOfARemovedFile() {
        host.drop("a-1.jar", "A1", "a", "1.0");
        host.delete("a-1.jar");
        host.put("a-2.jar", "A2", "a", "2.0");
        for (int i = 0; i < 4; i++) {
            host.scan();
        }
        assertEquals(List.of("local 1.0.0", "a 2.0.0"), host.running());
        assertTrue(host.never("no a"), "there was a moment without any");
    }

    @Test
    void keepsWhatAFileHeldThatWasRenamedWhileNobodyLooked() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.delete("a.jar");
        host.put("b.jar", "A1", "a", "1.0");
        host.scan();
        host.pass(Duration.ofMinutes(1));
        host.scan();
        host.scan();
        assertEquals(1, host.installs("A1"));
        assertEquals(State.RUNNING, host.state("b.jar"));
        assertTrue(host.never("no a"), "there was a moment without any");
    }

    @Test
    void takesAFileThatIsAwayForOneLookForReplaced() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.delete("a.jar");
        host.scan();
        host.put("a.jar", "A1", "a", "1.0");
        host.scan();
        host.scan();
        assertEquals(1, host.installs("A1"));
    }

    @Test
    void countsOnlyLooksInSuccessionThatMissAFile() {
        host.drop("a.jar", "A1", "a", "1.0");
        for (int i = 0; i < 3; i++) {
            host.delete("a.jar");
            host.scan();
            host.drop("a.jar", "A1", "a", "1.0");
        }
        assertEquals(1, host.installs("A1"));
        assertTrue(host.never("no a"), "there was a moment without any");
    }

    @Test
    void saysOnceThatABundleDrains() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.use("A1", "application pi");
        host.remove("a.jar");
        for (int i = 0; i < 5; i++) {
            host.scan();
        }
        assertEquals(1, told("waits up to").size(), host.told::toString);
    }

    @Test
    void stopsByForceWhenTheBoundIsOverAndSaysWhomItHits() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.use("A1", "application pi");
        host.remove("a.jar");
        host.pass(Duration.ofMinutes(9));
        assertEquals(State.DRAINING, host.shown("A1").state());
        host.pass(Duration.ofMinutes(2));
        assertEquals(List.of("platform-7"), host.installedContents());
        assertTrue(host.told.stream()
                .anyMatch(line -> line.startsWith(
                        "a 1.0.0 (a.jar): stopped after 600 s although still used by [application pi]")));
    }

    @Test
    void stopsByForceAtTheEndOfTheBoundAndNotBefore() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.use("A1", "application pi");
        host.remove("a.jar");
        host.pass(Duration.ofMinutes(10).minusNanos(1));
        assertEquals(State.DRAINING, host.shown("A1").state());
        host.pass(Duration.ofNanos(1));
        assertEquals(List.of("platform-7"), host.installedContents());
    }

    @Test
    void neverStopsWhatLivesAsLongAsTheProcess() {
        host.resident("platform-7", "role master");
        host.drop("local.jar", "L2", "local", "2.0");
        host.pass(Duration.ofHours(2));
        assertEquals(List.of("L2", "platform-7"), host.installedContents());
        assertEquals(List.of("role master"), host.shown("platform-7").heldBy());
        assertTrue(host.told.stream().anyMatch(line -> line.endsWith("restart this process to end that")));
    }

    @Test
    void upgradesABundleOfThePlatformAndComesBackToIt() {
        host.drop("local.jar", "L2", "local", "2.0");
        assertEquals(List.of("local 2.0.0"), host.running());
        host.tick();
        assertEquals(List.of("L2"), host.installedContents());
        host.remove("local.jar");
        assertEquals(List.of("local 1.0.0"), host.running());
        assertTrue(host.never("no local"), "there was a moment without any");
    }

    @Test
    void comesBackToABundleOfThePlatformWhoseFirstCopyStillDrains() {
        host.use("platform-7", "bundle remote-shell");
        host.drop("local.jar", "L2", "local", "2.0");
        host.remove("local.jar");
        assertEquals(2, host.copiesOf("platform-7"), "one that drains and one that is new");
        host.pass(Duration.ofMinutes(11));
        assertEquals(1, host.copiesOf("platform-7"), "the bound took the one that drained");
        assertEquals(List.of("local 1.0.0"), host.running());
        assertTrue(host.never("no local"), "there was a moment without any");
    }

    @Test
    void goesOnWithoutAStartThatDoesNotEndAndTakesItsLateAnswer() {
        host.hang("A2");
        host.put("low.jar", "A1", "a", "1.0");
        host.drop("high.jar", "A2", "a", "2.0"); // read first
        assertEquals(State.SETTLING, host.shown("A2").state());
        host.drop("b.jar", "B1", "b", "1.0");
        assertEquals(List.of("local 1.0.0", "b 1.0.0"), host.running());
        assertFalse(host.deployment.isSettled());
        host.pass(DirectoryDeployer.ACTIVATION_BOUND);
        assertTrue(host.deployment.isSettled(), "nothing waits for it any more");
        assertEquals(State.REFUSED, host.shown("A2").state());
        String problem = host.shown("A2").problem();
        assertTrue(problem.startsWith("its activator still runs after 30 s (expected: a start"), problem);
        assertEquals(List.of("a 2.0.0 (high.jar): " + problem), told("still runs"));
        assertEquals(List.of("local 1.0.0", "b 1.0.0", "a 1.0.0"), host.running(), "the next best");
        host.unhang("A2");
        host.tick();
        assertEquals(List.of("local 1.0.0", "b 1.0.0", "a 2.0.0"), host.running());
        assertEquals("", host.shown("A2").problem());
        assertEquals(State.SUPERSEDED, host.shown("A1").state());
    }

    @Test
    void keepsOneOfThoseThatRunWhileTheBestStillStarts() {
        host.drop("a-1.jar", "A1", "a", "1.0");
        host.hang("A2");
        host.drop("a-2.jar", "A2", "a", "2.0");
        host.hang("A3");
        host.drop("a-3.jar", "A3", "a", "3.0");
        host.unhang("A2");
        assertEquals(List.of("local 1.0.0", "a 2.0.0"), host.running());
        host.unhang("A3");
        assertEquals(List.of("local 1.0.0", "a 3.0.0"), host.running());
        assertTrue(host.never("no a"), "there was a moment without any");
    }

    @Test
    void keepsSayingWhatHangsWhenItsFileComesAgainAndDropsItWhenThatIsGone() {
        host.hang("A1");
        host.drop("a.jar", "A1", "a", "1.0");
        host.pass(DirectoryDeployer.ACTIVATION_BOUND);
        host.touch("a.jar");
        host.scan();
        host.scan();
        assertTrue(host.shown("A1").problem().startsWith("its activator still runs"));
        assertEquals(1, host.installs("A1"));
        host.remove("a.jar");
        assertEquals(State.REFUSED, host.shown("A1").state(), "it cannot be stopped while it starts");
        host.unhang("A1");
        host.tick();
        assertEquals(List.of("platform-7"), host.installedContents());
    }

    @Test
    void goesOnWithoutAStopThatDoesNotEnd() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.hang("A1");
        host.drop("a.jar", "A2", "a", "2.0");
        assertEquals("", host.shown("A1").problem());
        host.pass(DirectoryDeployer.ACTIVATION_BOUND);
        host.pass(Duration.ofHours(1));
        assertEquals(State.DRAINING, host.shown("A1").state());
        String problem = host.shown("A1").problem();
        assertTrue(problem.startsWith("its activator still runs after 30 s (expected: a stop"), problem);
        assertEquals(List.of("a 1.0.0 (a.jar): " + problem), told("still runs"));
        host.drop("b.jar", "B1", "b", "1.0");
        assertEquals(List.of("local 1.0.0", "a 2.0.0", "b 1.0.0"), host.running());
        host.unhang("A1");
        host.tick();
        assertEquals(List.of("A2", "B1", "platform-7"), host.installedContents());
    }

    @Test
    void forgetsThatAStopHungOnceItHasEnded() {
        host.drop("lib.jar", "lib", "lib", "1.0");
        host.hang("lib");
        host.wire("lib", "bundle user 1.0");
        host.remove("lib.jar");
        host.pass(DirectoryDeployer.ACTIVATION_BOUND);
        assertFalse(host.shown("lib").problem().isEmpty());
        host.unhang("lib");
        assertEquals(List.of("bundle user 1.0"), host.shown("lib").heldBy());
        assertEquals("", host.shown("lib").problem());
    }

    private List<String> told(String part) {
        return host.told.stream().filter(line -> line.contains(part)).toList();
    }

    @Test
    void refusesPartsOfTheKernel() {
        host.drop("spi.jar", "S2", "hearth-spi", "2.0");
        assertEquals(State.REFUSED, host.shown("S2").state());
        assertTrue(host.shown("S2").problem().contains("restart"));
        assertEquals(0, host.installs("S2"));
    }

    @Test
    void keepsTheOldWhileTheNewCannotStartAndTriesAgainWhenAnotherBundleComes() {
        host.drop("a-1.jar", "A1", "a", "1.0");
        host.lacks("A2", "lib");
        host.drop("a-2.jar", "A2", "a", "2.0");
        assertEquals(State.RUNNING, host.shown("A1").state());
        assertEquals("lacks lib", host.shown("A2").problem());
        host.scan();
        host.drop("other.jar", "O1", "other", "1.0");
        assertEquals(
                1, host.told.stream().filter(line -> line.endsWith("lacks lib")).count());
        host.drop("lib.jar", "lib", "lib", "1.0");
        assertEquals(State.RUNNING, host.shown("A2").state());
        assertEquals(State.SUPERSEDED, host.shown("A1").state());
    }

    @Test
    void startsTheNextBestWhenTheBestCannotStart() {
        host.lacks("A2", "lib");
        host.put("low.jar", "A1", "a", "1.0");
        host.drop("high.jar", "A2", "a", "2.0"); // read first
        assertEquals(List.of("local 1.0.0", "a 1.0.0"), host.running());
    }

    @Test
    void repeatsWhatIsWrongWithAFileThatComesAgain() {
        host.lacks("A1", "lib");
        host.drop("a.jar", "A1", "a", "1.0");
        host.drop("a.jar", "A1", "a", "1.0");
        assertEquals(2, told("lacks lib").size(), host.told::toString);
    }

    @Test
    void uninstallsWhatNeverStartedWhenItsFileIsRemoved() {
        host.lacks("A1", "lib");
        host.drop("a.jar", "A1", "a", "1.0");
        assertEquals(State.REFUSED, host.state("a.jar"));
        host.remove("a.jar");
        assertEquals(List.of("platform-7"), host.installedContents());
        assertEquals(List.of(), host.deployment.deployed());
    }

    @Test
    void installsAllFilesOfALookBeforeItStartsAny() {
        host.lacks("A1", "lib");
        host.put("a.jar", "A1", "a", "1.0");
        host.put("lib.jar", "lib", "lib", "1.0");
        host.scan();
        host.scan();
        assertEquals(List.of("local 1.0.0", "a 1.0.0", "lib 1.0.0"), host.running());
        assertTrue(host.told.stream().noneMatch(line -> line.contains("lacks")), host.told::toString);
    }

    @Test
    void keepsWhatRunsWhenItsFileIsOverwrittenWithRubbish() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.put("a.jar", "half", "", "");
        for (int i = 0; i < 20; i++) {
            host.scan();
        }
        assertEquals(State.RUNNING, host.shown("A1").state());
        assertTrue(host.told.contains("a.jar: no complete jar; a 1.0.0 stays"), host.told::toString);
    }

    @Test
    void keepsClassesThatOthersAreWiredTo() {
        host.drop("lib.jar", "lib", "lib", "1.0");
        host.wire("lib", "bundle user 1.0");
        host.remove("lib.jar");
        host.tick();
        assertEquals(List.of("bundle user 1.0"), host.shown("lib").heldBy());
        host.unwire("lib");
        host.tick();
        assertEquals(List.of("platform-7"), host.installedContents());
        assertTrue(host.told.contains("lib 1.0.0 (lib.jar) is gone"));
    }

    @Test
    void takesTwoFilesOfOneContentForOne() {
        host.drop("a.jar", "A1", "a", "1.0");
        host.drop("b.jar", "A1", "a", "1.0");
        assertEquals(1, host.installs("A1"));
        host.remove("a.jar");
        assertEquals(State.RUNNING, host.shown("A1").state());
        host.remove("b.jar");
        host.tick();
        assertEquals(List.of("platform-7"), host.installedContents());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 42, 1167, 4711})
    void endsUpWithTheBestOfEachNameWhateverHappens(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 400; step++) {
            host.anything(random);
            host.check();
        }
        host.letAllGo();
        for (int i = 0; i < 30; i++) {
            host.scan();
        }
        host.checkSettled();
    }

    private static org.osgi.framework.Version version(String text) {
        return org.osgi.framework.Version.parseVersion(text);
    }
}
