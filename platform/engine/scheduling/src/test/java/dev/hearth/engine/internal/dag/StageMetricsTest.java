package dev.hearth.engine.internal.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.task.TaskMetrics;
import org.junit.jupiter.api.Test;

/** Sum of task metrics, each with values of its own. */
class StageMetricsTest {
    @Test
    void addsUpAllMetricsButThePeakMemory() {
        StageMetrics sum = new StageMetrics();
        assertEquals(TaskMetrics.NONE, sum.total());
        sum.add(new TaskMetrics(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 150, 16, 17));
        sum.add(new TaskMetrics(101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117));
        assertEquals(
                new TaskMetrics(102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 128, 150, 132, 134),
                sum.total());
    }
}
