package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.task.TaskContext;
import java.io.Serializable;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;

/**
 * Reads the rows of a database query as a dataset, as JdbcRDD in Spark. The integers from {@code lower} to
 * {@code upper} are split evenly over the partitions; the two {@code ?} of {@code sql} become the first and last
 * integer of the partition. Each task runs its query on a connection of its own and closes it.
 */
public record JdbcRows<T>(
        Connecting connecting, String sql, long lower, long upper, int partitions, MapFunction<ResultSet, T> row)
        implements IndexedPartitionFunction<Integer, T> {
    private static final System.Logger LOG = System.getLogger(JdbcRows.class.getName());
    private static final int ROWS_AHEAD = 100;

    public JdbcRows {
        ArgumentChecks.partitions("JdbcRows", partitions);
        if (lower > upper) {
            throw ArgumentChecks.refused(
                    "JdbcRows", "from " + lower + " to " + upper + " (expected: a range that ascends)");
        }
        if (sql.chars().filter(letter -> letter == '?').count() < 2) {
            throw ArgumentChecks.refused(
                    "JdbcRows",
                    "'" + sql + "' (expected: two placeholders ?, for the first and the last number of a partition)");
        }
    }

    /** Opens the database connection of one task. Runs on executors. */
    @FunctionalInterface
    public interface Connecting extends Serializable {
        Connection open() throws Exception;
    }

    /**
     * The rows of the query as a dataset; each action runs the queries again.
     * <pre>{@code Rdd<String> names = new JdbcRows<>(
     *         () -> java.sql.DriverManager.getConnection("jdbc:postgresql://host/shop"),
     *         "select name from customer where id between ? and ?", 1, 100_000, 8, row -> row.getString(1)).in(context);}</pre>
     */
    public Rdd<T> in(HearthContext context) {
        return context.parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
                .mapPartitionsWithIndex(this);
    }

    @Override
    public Iterator<T> apply(int partition, Iterator<Integer> nothing) throws Exception {
        Connection connection = connecting.open();
        TaskContext.current().onCompletion(done -> close(connection));
        PreparedStatement query =
                connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        query.setFetchSize(ROWS_AHEAD);
        query.setLong(1, first(partition));
        query.setLong(2, first(partition + 1) - 1);
        return new PartitionRows<T>(connection, query.executeQuery(), row);
    }

    /** The first of the integers between {@code lower} and {@code upper} that belong to partition {@code partition}. */
    private long first(int partition) {
        BigInteger length =
                BigInteger.valueOf(upper).subtract(BigInteger.valueOf(lower)).add(BigInteger.ONE);
        return length.multiply(BigInteger.valueOf(partition))
                .divide(BigInteger.valueOf(partitions))
                .add(BigInteger.valueOf(lower))
                .longValue(); // after the last partition this may overflow; the caller subtracts 1, which undoes it
    }

    private static void close(Connection connection) {
        try {
            connection.close(); // idempotent
        } catch (SQLException failure) {
            LOG.log(System.Logger.Level.WARNING, "JdbcRows: a connection cannot be closed", failure);
        }
    }

    /** Iterator over the rows of one partition, each mapped by the function {@code row}. Owned by the task's thread. */
    private static final class PartitionRows<T> implements Iterator<T> {
        private final Connection connection;
        private final ResultSet rows;
        private final MapFunction<ResultSet, T> row;
        private boolean fetched; // whether `hasRow` already refers to the next row
        private boolean hasRow;

        PartitionRows(Connection connection, ResultSet rows, MapFunction<ResultSet, T> row) {
            this.connection = connection;
            this.rows = rows;
            this.row = row;
        }

        @Override
        public boolean hasNext() {
            if (!fetched) {
                try {
                    hasRow = rows.next();
                } catch (SQLException failure) {
                    throw failed(failure);
                }
                fetched = true;
                if (!hasRow) {
                    close(connection);
                }
            }
            return hasRow;
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException("JdbcRows: no more rows");
            }
            fetched = false;
            try {
                return row.apply(rows);
            } catch (RuntimeException thrown) {
                throw thrown;
            } catch (Exception failure) {
                throw failed(failure);
            }
        }

        private static HearthException failed(Exception failure) {
            return new HearthException("TASK_FAILED", "JdbcRows: a row cannot be read, " + failure, failure);
        }
    }
}
