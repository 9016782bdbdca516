package user;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.HearthContext;
import java.util.List;
import org.junit.jupiter.api.Test;

class SumTest {
    @Test
    void addsSquares() {
        try (HearthContext context = HearthContext.builder().master("local[2]").open()) {
            assertEquals(
                    14, context.parallelize(List.of(1, 2, 3), 2).map(x -> x * x).reduce(Integer::sum));
        }
    }
}
