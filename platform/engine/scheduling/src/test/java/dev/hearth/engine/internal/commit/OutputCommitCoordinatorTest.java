package dev.hearth.engine.internal.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.Locality;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class OutputCommitCoordinatorTest {
    private static final TaskSetId FIRST = new TaskSetId(3, 0);
    private static final TaskSetId SECOND = new TaskSetId(3, 1);
    private static final int PARTITION = 7;
    private static final int MANY = 30_000; // failed attempts, more than are remembered

    private final OutputCommitCoordinator commits = new OutputCommitCoordinator();

    @BeforeEach
    void open() {
        commits.opened(FIRST);
    }

    @Test
    void letsOnlyTheFirstAttemptCommit() {
        assertTrue(commits.mayCommit(FIRST, PARTITION, 1));
        assertFalse(commits.mayCommit(FIRST, PARTITION, 0));
        assertTrue(commits.mayCommit(FIRST, PARTITION, 1), "a retry, because the answer was lost");
        assertTrue(commits.mayCommit(FIRST, PARTITION + 1, 0), "another partition");
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"SUCCEEDED", "RECALLED"})
    void letsAnotherAttemptCommitAfterTheCommitterFailed(TaskOutcome outcome) {
        assertTrue(commits.mayCommit(FIRST, PARTITION, 0));
        commits.ended(task(FIRST, 0), outcome);
        assertFalse(commits.mayCommit(FIRST, PARTITION, 0), "its own late request");
        assertTrue(commits.mayCommit(FIRST, PARTITION, 1));
    }

    @Test
    void keepsTheCommitterWhenAnotherAttemptEnds() {
        assertTrue(commits.mayCommit(FIRST, PARTITION, 0));
        commits.ended(task(FIRST, 1), TaskOutcome.FAILED);
        assertFalse(commits.mayCommit(FIRST, PARTITION, 2));
    }

    @Test
    void deniesCommitsAfterAnOlderStageAttemptCommitted() {
        commits.opened(SECOND);
        assertTrue(commits.mayCommit(FIRST, PARTITION, 0));
        assertFalse(commits.mayCommit(SECOND, PARTITION, 0));
        commits.ended(task(FIRST, 0), TaskOutcome.SUCCEEDED);
        commits.over(FIRST);
        assertFalse(commits.mayCommit(SECOND, PARTITION, 0));
        commits.over(SECOND);
        assertEquals(0, commits.stages());
    }

    @Test
    void deniesLateRequests() {
        assertFalse(commits.mayCommit(SECOND, PARTITION, 0), "never opened");
        commits.over(FIRST);
        assertFalse(commits.mayCommit(FIRST, PARTITION, 0));
        assertEquals(0, commits.stages());
    }

    @Test
    void waitsForACommitterThatStillRunsWhenItsStageAttemptIsOver() {
        assertTrue(commits.mayCommit(FIRST, PARTITION, 0));
        commits.over(FIRST);
        commits.opened(SECOND);
        assertFalse(commits.mayCommit(SECOND, PARTITION, 0), "the other attempt may be committing");
        commits.ended(task(FIRST, 0), TaskOutcome.KILLED);
        assertTrue(commits.mayCommit(SECOND, PARTITION, 0));
    }

    @Test
    void neverLetsTwoCommit() {
        for (long seed = 1; seed <= 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            OutputCommitCoordinator any = new OutputCommitCoordinator();
            any.opened(FIRST);
            Set<Integer> ended = new LinkedHashSet<>();
            int holder = -1;
            boolean published = false;
            for (int step = 0; step < 200; step++) {
                int attempt = random.nextInt(20);
                if (random.nextInt(3) > 0) {
                    boolean may = any.mayCommit(FIRST, PARTITION, attempt);
                    boolean due = !ended.contains(attempt) && (holder < 0 || holder == attempt);
                    assertEquals(due || (published && holder == attempt), may, "seed " + seed);
                    holder = may ? attempt : holder;
                } else if (ended.add(attempt)) {
                    boolean success = random.nextInt(4) == 0 && attempt == holder;
                    any.ended(task(FIRST, attempt), success ? TaskOutcome.SUCCEEDED : TaskOutcome.FAILED);
                    published |= success;
                    holder = attempt == holder && !success ? -1 : holder;
                }
            }
        }
    }

    private static TaskInfo task(TaskSetId set, int attempt) {
        return new TaskInfo(
                attempt, set.stage(), set.attempt(), PARTITION, attempt, "a", "host-a", Locality.ANY, false, 0);
    }

    @Test
    void aDuplicateReportOfTheCommitterDoesNotReopenThePartition() {
        assertTrue(commits.mayCommit(FIRST, PARTITION, 0));
        commits.ended(task(FIRST, 0), TaskOutcome.SUCCEEDED);
        commits.ended(task(FIRST, 0), TaskOutcome.EXECUTOR_LOST);
        assertFalse(commits.mayCommit(FIRST, PARTITION, 1), "it has committed");
    }

    @Test
    void remembersTheLatestOfManyFailedAttempts() {
        for (int attempt = 0; attempt < MANY; attempt++) {
            commits.ended(task(FIRST, attempt), TaskOutcome.FAILED);
        }
        assertFalse(commits.mayCommit(FIRST, PARTITION, MANY - 1));
        assertFalse(commits.mayCommit(FIRST, PARTITION, MANY - 1_000));
        assertTrue(commits.mayCommit(FIRST, PARTITION, MANY));
    }
}
