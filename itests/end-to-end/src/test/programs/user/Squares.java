package user;

import dev.hearth.api.HearthContext;
import java.util.List;

public final class Squares {
    public static void main(String[] args) {
        try (HearthContext context = HearthContext.builder().name("squares").open()) {
            System.out.println(
                    context.parallelize(List.of(1, 2, 3), 2).map(n -> n * n).reduce(Integer::sum));
        }
    }
}
