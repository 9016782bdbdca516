package dev.hearth.engine.internal.driver.session;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

/**
 * JDBC driver of a database of whole numbers: a query returns the numbers between its two arguments. Counts open
 * connections.
 */
final class CountingJdbcDriver implements Driver {
    static final AtomicInteger OPEN = new AtomicInteger();
    private static final String URL = "jdbc:counting:";
    private static final CountingJdbcDriver ONLY = new CountingJdbcDriver();

    private CountingJdbcDriver() {}

    static void register() throws SQLException {
        DriverManager.registerDriver(ONLY);
    }

    static void deregister() throws SQLException {
        DriverManager.deregisterDriver(ONLY);
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(URL);
    }

    @Override
    public Connection connect(String url, Properties properties) {
        OPEN.incrementAndGet();
        return proxy(Connection.class, new Opened());
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** One connection. */
    private static final class Opened implements InvocationHandler {
        private boolean closed;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws SQLException {
            switch (method.getName()) {
                case "prepareStatement":
                    return proxy(PreparedStatement.class, new Query());
                case "close":
                    if (!closed) {
                        closed = true;
                        OPEN.decrementAndGet();
                    }
                    return null;
                default:
                    throw new SQLFeatureNotSupportedException(method.toString());
            }
        }
    }

    /** One query, with its two arguments. */
    private static final class Query implements InvocationHandler {
        private final long[] bounds = new long[2];

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws SQLException {
            switch (method.getName()) {
                case "setFetchSize":
                    return null;
                case "setLong":
                    bounds[(Integer) arguments[0] - 1] = (Long) arguments[1];
                    return null;
                case "executeQuery":
                    return proxy(ResultSet.class, new Rows(bounds[0], bounds[1]));
                default:
                    throw new SQLFeatureNotSupportedException(method.toString());
            }
        }
    }

    /** Its rows, of one column. */
    private static final class Rows implements InvocationHandler {
        private final long last;
        private long next;
        private boolean ended;

        Rows(long first, long last) {
            this.next = first;
            this.last = last;
            this.ended = first > last;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws SQLException {
            switch (method.getName()) {
                case "next":
                    boolean valid = !ended;
                    ended = ended || next == last;
                    next++;
                    return valid;
                case "getLong":
                    return next - 1;
                case "getString":
                    throw new SQLException(String.valueOf(arguments[0]));
                default:
                    throw new SQLFeatureNotSupportedException(method.toString());
            }
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.equals(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("no logger");
    }
}
